#!/bin/sh
# test_dissolve_hook.sh: the ten gated paths of bin/dissolve_hook.sh, each in a throwaway tree. Prints one line a path.
#
#   sh tests/test_dissolve_hook.sh [shell]      the shell that runs the script; sh by default

set -u
unset CDPATH GT_AGENT_ID GT_ROLE GT_WORKTREE GT_SUBAGENT
shell=${1:-sh}
here=$(cd -P -- "$(dirname -- "$0")" && pwd -P) || exit 1
script=$here/../bin/dissolve_hook.sh
[ -f "$script" ] || {
  printf 'no %s\n' "$script" >&2
  exit 1
}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/dissolve-hook-test.XXXXXX") || exit 1
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

failed=0
count=0
tree=

new_tree() {
  count=$((count + 1))
  tree=$scratch/$count
  mkdir -p "$tree/bin" "$tree/.git/objects" "$tree/.git/refs" "$tree/sub"
  printf 'ref: refs/heads/main\n' >"$tree/.git/HEAD"
  cp "$script" "$tree/bin/dissolve_hook.sh"
  arm
}
arm() { printf '# Cycle 034 handoff - test\n\nbody\n' >"$tree/HOOK_NEXT_CYCLE.md"; }
inode() { ls -di "$tree/HOOK_NEXT_CYCLE.md" 2>/dev/null | awk '{ print $1 }'; }
bytes() { cksum <"$tree/HOOK_NEXT_CYCLE.md" 2>/dev/null; }
digest() {
  { sha256sum || shasum -a 256 || openssl dgst -sha256 -r; } <"$tree/HOOK_NEXT_CYCLE.md" 2>/dev/null | cut -c 1-16
}
archives() { find "$tree/cycles" -name 'cycle-*' 2>/dev/null | wc -l | tr -d ' '; }
call() { # folder, then arguments: sets code
  folder=$1
  shift
  (cd "$folder" && "$shell" "$tree/bin/dissolve_hook.sh" "$@") >"$scratch/out" 2>&1
  code=$?
}
still_armed() { # inode and bytes as they were
  [ "$(inode)" = "$before_inode" ] && [ "$(bytes)" = "$before_bytes" ]
}
remember() {
  before_inode=$(inode)
  before_bytes=$(bytes)
}
tell() { # name, then 0 for passed
  if [ "$2" -eq 0 ]; then
    printf 'ok   %s\n' "$1"
  else
    printf 'FAIL %s (exit %s: %s)\n' "$1" "$code" "$(cat "$scratch/out")"
    failed=$((failed + 1))
  fi
}

new_tree
remember
call "$tree"
[ "$code" -eq 2 ] && still_armed
tell 'T1 a bare call is refused, the hook is untouched' $?

new_tree
remember
call "$tree" --cycle 35
first=$code
call "$tree" --digest 0123456789ab
[ "$first" -eq 4 ] && [ "$code" -eq 4 ] && still_armed
tell 'T2 a wrong cycle and a wrong digest are refused, the hook is untouched' $?

new_tree
remember
mkdir "$scratch/outside-$count"
call "$scratch/outside-$count" --cycle 34
[ "$code" -eq 5 ] && still_armed
tell 'T3 a caller outside of the tree is refused' $?

new_tree
remember
mkdir -p "$tree/nested/.git/objects" "$tree/nested/.git/refs" "$tree/worktree"
printf 'ref: refs/heads/main\n' >"$tree/nested/.git/HEAD"
printf 'gitdir: ../.git/worktrees/worktree\n' >"$tree/worktree/.git"
call "$tree/nested" --cycle 34
first=$code
call "$tree/worktree" --cycle 34
[ "$first" -eq 5 ] && [ "$code" -eq 5 ] && still_armed
tell 'T4 a caller in a nested repository or worktree is refused' $?

new_tree
call "$tree/sub" --cycle 34
[ "$code" -eq 0 ] && [ "$(archives)" -eq 1 ] && ! [ -e "$tree/HOOK_NEXT_CYCLE.md" ]
tell 'T5 the right cycle archives once' $?

new_tree
call "$tree" --digest "$(digest)"
[ "$code" -eq 0 ] && [ "$(archives)" -eq 1 ] && ! [ -e "$tree/HOOK_NEXT_CYCLE.md" ]
tell 'T6 the right digest archives once' $?

new_tree
(
  GIT_DIR=/nowhere GIT_WORK_TREE=/ GIT_COMMON_DIR=/nowhere GIT_CEILING_DIRECTORIES=/ GIT_DISCOVERY_ACROSS_FILESYSTEM=0
  export GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_CEILING_DIRECTORIES GIT_DISCOVERY_ACROSS_FILESYSTEM
  call "$tree" --cycle 34
  exit "$code"
)
code=$?
[ "$code" -eq 0 ] && [ "$(archives)" -eq 1 ]
tell 'T7 a poisoned git environment does not block the rightful caller' $?

new_tree
call "$tree" --cycle 34
[ "$code" -eq 0 ] && [ -d "$tree/cycles" ]
tell 'T8 a tree without cycles/ gets one' $?

new_tree
call "$tree" --cycle 34
kept=$(find "$tree/cycles" -name 'cycle-*')
before=$(cksum <"$kept")
arm
call "$tree" --cycle 34
[ "$code" -eq 0 ] && [ "$(archives)" -eq 2 ] && [ "$(cksum <"$kept")" = "$before" ]
tell 'T9 a second dissolution in the same second leaves the first archive alone' $?

new_tree
mv "$tree/HOOK_NEXT_CYCLE.md" "$scratch/target-$count"
ln -s "$scratch/target-$count" "$tree/HOOK_NEXT_CYCLE.md"
before=$(cksum <"$scratch/target-$count")
call "$tree" --cycle 34
[ "$code" -eq 6 ] && [ -L "$tree/HOOK_NEXT_CYCLE.md" ] && [ "$(cksum <"$scratch/target-$count")" = "$before" ]
tell 'T10 a symlinked hook is refused, its target intact' $?

[ "$failed" -eq 0 ]
