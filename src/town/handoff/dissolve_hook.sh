#!/bin/sh
# dissolve_hook.sh: archives HOOK_NEXT_CYCLE.md below cycles/, for a caller who shows a value that only the file tells.
#
#   bin/dissolve_hook.sh --cycle N        N: the cycle its first line declares ("# Cycle N handoff"), in digits
#   bin/dissolve_hook.sh --digest HEX     HEX: the first twelve or more hex digits of its SHA-256
#
# Read the handoff, tell the human what it says, and only then dissolve it. A subagent with a narrow task never does.
#
# What it holds: a bare call, a wrong value, a call from outside of this tree or from a repository or worktree nested in
# it are refused, and the handoff stays armed. It stops the accident, not somebody determined, who can read the file as
# anyone can. It shows that the file was opened, not that it was understood.
#
# Windows that remain, since a shell can neither open a file without following links nor check what it has opened:
#   - between the checks of type and size and the reading, the file may be replaced (by a link, a FIFO, a huge file);
#   - a program that holds the file open may write to it between the last hash and its removal.
# A file replaced or changed between the checks and the claim is found by its hash and given its name back.
#
# Exit codes: 0 dissolved, 2 usage, 3 not armed, 4 value does not match, 5 wrong tree or session, 6 unsafe or malformed
# handoff, 7 lost a race or changed meanwhile, 8 cannot archive. No message shows a cycle, a digest or a length.
#
# POSIX sh with "test -ef" (dash, bash, ksh, busybox, zsh's sh). Needs sha256sum, shasum or openssl; git is optional.

set -u
set -f
LC_ALL=C
export LC_ALL
unset CDPATH
IFS=' 	
'

limit=1048576
partial=
own=

refuse() { # code sentence
  printf 'dissolve: %s\n' "$2" >&2
  exit "$1"
}

clean_up() {
  [ -z "$partial" ] || rm -f -- "$partial"
  [ -z "$own" ] || rm -f -- "$own"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

exists() { [ -e "$1" ] || [ -L "$1" ]; }

strip_zeros() { # digits
  digits=$1
  while [ "${#digits}" -gt 1 ] && [ "${digits#0}" != "$digits" ]; do digits=${digits#0}; done
  printf '%s' "$digits"
}

# ---- 1. arguments -------------------------------------------------------------------------------------------------

usage() {
  refuse 2 'give exactly one of --cycle N (digits) or --digest HEX (twelve or more hex digits), once; see --help'
}

if [ "$#" -eq 1 ]; then
  case $1 in
  --help | -h)
    cat <<'HELP'
usage: bin/dissolve_hook.sh --cycle N | --digest HEX

Archives this tree's HOOK_NEXT_CYCLE.md below cycles/. Read it and tell the human what it says first.
  --cycle N      the cycle its first line declares, in digits   (say, --cycle 7)
  --digest HEX   the first twelve or more hex digits of its SHA-256
HELP
    exit 0
    ;;
  esac
fi

mode=
value=
take() { # mode value
  [ -z "$mode" ] || usage
  mode=$1
  value=$2
}
while [ "$#" -gt 0 ]; do
  case $1 in
  --cycle=*) take cycle "${1#*=}" ;;
  --digest=*) take digest "${1#*=}" ;;
  --cycle | --digest)
    [ "$#" -ge 2 ] || usage
    take "${1#--}" "$2"
    shift
    ;;
  --) [ "$#" -eq 1 ] || usage ;;
  *) usage ;;
  esac
  shift
done
case $mode in
cycle)
  case $value in '' | *[!0123456789]*) usage ;; esac
  [ "${#value}" -le 9 ] || usage
  value=$(strip_zeros "$value")
  ;;
digest)
  case $value in '' | *[!0123456789abcdefABCDEF]*) usage ;; esac
  { [ "${#value}" -ge 12 ] && [ "${#value}" -le 64 ]; } || usage
  value=$(printf '%s' "$value" | tr ABCDEF abcdef)
  ;;
*) usage ;;
esac

# ---- 2. tree: the folder above this script's own; compared by inode, never by path text -------------------------------

no_cwd() { refuse 5 'the current directory no longer exists, so its tree cannot be told; nothing was touched'; }

here=$(pwd -P 2>/dev/null) || no_cwd
{ [ -n "$here" ] && [ "$here" -ef . ]; } || no_cwd
case $0 in */*) script_folder=${0%/*} ;; *) script_folder=. ;; esac
root=$(cd -P -- "${script_folder:-/}/.." 2>/dev/null && pwd -P) || no_cwd
[ -n "$root" ] || no_cwd
# "/" would otherwise be written twice in every path.
[ "$root" = / ] && root=

folder=$here
until [ "${folder:-/}" -ef "${root:-/}" ]; do
  if [ "${folder##*/}" = .git ]; then
    refuse 5 'the current directory lies inside a .git directory, not in a working tree; nothing was touched'
  fi
  if exists "$folder/.git"; then
    refuse 5 'the current directory belongs to a nested repository or worktree, not to this tree; nothing was touched'
  fi
  if exists "$folder/HEAD" && exists "$folder/objects" && exists "$folder/refs"; then
    refuse 5 'the current directory lies inside a bare repository; nothing was touched'
  fi
  [ -n "$folder" ] || refuse 5 'the current directory lies outside of this tree; nothing was touched'
  folder=${folder%/*}
done
# Second opinion, in an environment that nothing of the caller's can redirect; it may only refuse.
toplevel=$(env -i PATH="${PATH:-/usr/bin:/bin}" LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null \
  git rev-parse --show-toplevel 2>/dev/null) || toplevel=
if [ -n "$toplevel" ] && ! [ "$toplevel" -ef "${root:-/}" ]; then
  refuse 5 'git says that the current directory belongs to another working tree; nothing was touched'
fi

# ---- 3. session -----------------------------------------------------------------------------------------------------

worker='a worker with a narrow task never dissolves this handoff; leave it to crew, mayor or the human'
[ -z "${GT_SUBAGENT:-}" ] || refuse 5 "$worker"
case ${GT_ROLE:-} in
'' | crew | mayor | human) ;;
*) refuse 5 "$worker" ;;
esac
if [ -n "${GT_WORKTREE:-}" ] && ! [ "$GT_WORKTREE" -ef "${root:-/}" ]; then
  refuse 5 'this session is bound to another tree and may only dissolve the handoff there; nothing was touched'
fi
# The town knows whose tree this is, counts misses and may ask for the human; this script does not.
[ -z "${GT_AGENT_ID:-}" ] || refuse 5 'this session belongs to a town: dissolve with "gt dissolve"; nothing was touched'

# ---- reading, as safely as a shell can ------------------------------------------------------------------------------

hook=$root/HOOK_NEXT_CYCLE.md
cycles=$root/cycles
ledger=$cycles/ledger.ndjson

if command -v sha256sum >/dev/null 2>&1; then
  hash_of() { hashed=$(sha256sum <"$1" 2>/dev/null) && printf '%s' "${hashed%% *}"; }
elif command -v shasum >/dev/null 2>&1; then
  hash_of() { hashed=$(shasum -a 256 <"$1" 2>/dev/null) && printf '%s' "${hashed%% *}"; }
elif command -v openssl >/dev/null 2>&1; then
  hash_of() { hashed=$(openssl dgst -sha256 -r <"$1" 2>/dev/null) && printf '%s' "${hashed%% *}"; }
else
  refuse 8 'none of sha256sum, shasum and openssl was found, so nothing can be verified; still armed'
fi

# Sets links and size of a file without following it.
measure() {
  # shellcheck disable=SC2046
  set -- $(ls -ldn -- "$1" 2>/dev/null)
  links=${2:-0}
  size=${5:-0}
}

# The hash of a regular file of handoff size, or nothing.
safe_hash() {
  if [ -L "$1" ] || ! [ -f "$1" ]; then return 1; fi
  measure "$1"
  [ "$size" -le "$limit" ] 2>/dev/null || return 1
  hash_of "$1"
}

# Flushes files or folders; where sync takes no arguments, everything.
flush() { sync -- "$@" 2>/dev/null || sync; }

random() { od -An -N8 -tx1 /dev/urandom | tr -d ' \n'; }

# ---- 4. recovery of an interrupted run; names are those of the Node form --------------------------------------------

now=$(date +%s)

# True while the run that made this name may still be at work: its process lives and the name is younger than a minute.
is_held() { # name
  tail=${1##*/}
  tail=${tail#.HOOK_NEXT_CYCLE.claim-}
  tail=${tail#.partial-}
  pid=${tail%%-*}
  tail=${tail#*-}
  at=${tail%%-*}
  case $pid in '' | 0* | *[!0123456789]*) return 1 ;; esac
  case $at in '' | 0* | *[!0123456789]*) return 1 ;; esac
  { [ "${#pid}" -le 10 ] && [ "${#at}" -le 12 ]; } || return 1
  age=$((now - at))
  { [ "$age" -le 60 ] && [ "$age" -ge -60 ]; } || return 1
  kill -0 "$pid" 2>/dev/null || [ -d "/proc/$pid" ] || ps -p "$pid" >/dev/null 2>&1
}

# Gives a claim its name back, never over a handoff that appeared meanwhile; then both stay.
put_back() { # claim
  if exists "$hook"; then
    [ "$1" -ef "$hook" ] && ! [ -L "$hook" ] && rm -f -- "$1"
    return
  fi
  if [ -f "$1" ] && ! [ -L "$1" ] && ln -- "$1" "$hook" 2>/dev/null; then
    rm -f -- "$1"
  elif ! exists "$hook"; then
    mv -- "$1" "$hook"
  else
    return 1
  fi
  flush "${root:-/}"
}

archive_of() { # hash; sets found
  found=
  [ -d "$cycles" ] && ! [ -L "$cycles" ] || return 1
  eight=$(printf %.8s "$1")
  set +f
  for archive in "$cycles"/cycle-*_"$eight"*.md; do
    if [ "$(safe_hash "$archive")" = "$1" ]; then
      found=$archive
      break
    fi
  done
  set -f
  [ -n "$found" ]
}

json_text() { printf '%s' "$1" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g'; }

record() { # event archive hash
  if exists "$ledger"; then
    if [ -L "$ledger" ] || ! [ -f "$ledger" ]; then return 1; fi
  fi
  printf '{"archive":"%s","at":"%s","by":"human","event":"%s","pid":%s,"sha256":"%s","tree":"%s"}\n' \
    "${2##*/}" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" "$$" "$3" "$(json_text "${root:-/}")" 2>/dev/null >>"$ledger" &&
    flush "$ledger"
}

finished=
held=
set +f
for claim in "$root"/.HOOK_NEXT_CYCLE.claim-*; do
  exists "$claim" || continue
  if is_held "$claim"; then
    held=yes
    continue
  fi
  claimed=$(safe_hash "$claim")
  if [ -n "$claimed" ] && archive_of "$claimed"; then
    grep -qF "\"archive\":\"${found##*/}\"" "$ledger" 2>/dev/null || record recovered "$found" "$claimed"
    rm -f -- "$claim"
    flush "${root:-/}"
    finished=yes
  else
    put_back "$claim"
  fi
  set +f
done
if [ -d "$cycles" ] && ! [ -L "$cycles" ]; then
  for left in "$cycles"/.partial-*; do
    exists "$left" || continue
    is_held "$left" || rm -f -- "$left" 2>/dev/null
  done
fi
set -f

# ---- 5. type and size -----------------------------------------------------------------------------------------------

changed() { refuse 7 'the handoff changed while it was checked; what lies there now is armed: read it again'; }
lost() { refuse 7 'another caller dissolved or is dissolving this handoff; nothing is left to do here'; }

if [ -L "$hook" ]; then
  refuse 6 'HOOK_NEXT_CYCLE.md is a symbolic link; only a regular file can be dissolved'
fi
if ! [ -e "$hook" ]; then
  [ -z "$held" ] || lost
  [ -z "$finished" ] || refuse 3 'an interrupted dissolution was completed; no handoff is armed in this tree'
  refuse 3 'no handoff is armed in this tree'
fi
[ -f "$hook" ] || refuse 6 'HOOK_NEXT_CYCLE.md is not a regular file; only a regular file can be dissolved'
measure "$hook"
# A hook that vanished between two looks was won by another caller.
[ "$links" != 0 ] || lost
[ "$links" = 1 ] || refuse 6 'HOOK_NEXT_CYCLE.md has a second name (hard link), so its bytes are not safe; it is still armed'
[ "$size" != 0 ] || refuse 6 'HOOK_NEXT_CYCLE.md has no content; write a handoff or remove it by hand'
[ "$size" -le "$limit" ] || refuse 6 'HOOK_NEXT_CYCLE.md is larger than a handoff may be; it is still armed'

sha=$(hash_of "$hook") || {
  exists "$hook" || lost
  refuse 6 'HOOK_NEXT_CYCLE.md cannot be read (permissions or disk); it is still armed'
}

# Everything below reads the file again; this tells whether it still was the same one.
same_or_refuse() {
  [ "$(safe_hash "$hook")" = "$sha" ] && return
  exists "$hook" || lost
  changed
}

if [ -z "$(tr -d '[:space:]\000' <"$hook" 2>/dev/null | head -n 1)" ]; then
  same_or_refuse
  refuse 6 'HOOK_NEXT_CYCLE.md has no content; write a handoff or remove it by hand'
fi
awk '
  length($0) > 200 { body++; next }
  {
    line = $0
    sub(/\r$/, "", line)
    gsub(/^[ \t]+|[ \t]+$/, "", line)
    if (NR <= 20 && tolower(line) ~ /^([-*] )?session(_id)?: *["\047]?(current|unknown|todo|tbd|placeholder|your-session-id|session-id|<.*>|[{][{].*[}][}])?["\047]?$/) bad = 1
    if (line == "" || substr(line, 1, 1) == "#") next
    body++
    if (line ~ /^([-*] *)?([A-Za-z][A-Za-z _-]*: *)?(<[^<>]*>|[{][{][^{}]*[}][}]|TODO|TBD)?$/) empty++
  }
  END { exit (bad || (body > 0 && body == empty)) }
' <"$hook" 2>/dev/null || {
  same_or_refuse
  refuse 6 'HOOK_NEXT_CYCLE.md still holds placeholders in place of a handoff; fill it in first'
}

# ---- 6. first line --------------------------------------------------------------------------------------------------

is_utf8() {
  [ "$(tr -d '\000-\177' <"$hook" | wc -c)" -ne 0 ] || return 0
  od -An -v -tu1 <"$hook" | awk '
    {
      for (i = 1; i <= NF; i++) {
        b = $i + 0
        if (need > 0) { if (b < low || b > high) bad = 1; need--; low = 128; high = 191; continue }
        low = 128; high = 191
        if (b < 128) continue
        else if (b >= 194 && b <= 223) need = 1
        else if (b >= 224 && b <= 239) { need = 2; if (b == 224) low = 160; if (b == 237) high = 159 }
        else if (b >= 240 && b <= 244) { need = 3; if (b == 240) low = 144; if (b == 244) high = 143 }
        else bad = 1
      }
    }
    END { exit (bad || need > 0) }'
}

is_text=yes
[ "$(tr -d '\000' <"$hook" | wc -c)" -eq "$size" ] && is_utf8 || is_text=
declared=
if [ -n "$is_text" ]; then
  line=$(dd bs=514 count=1 <"$hook" 2>/dev/null | head -n 1)
  if [ "${#line}" -le 512 ]; then
    line=${line%"$(printf '\r')"}
    case $line in
    '# Cycle '[0123456789]*)
      rest=${line#'# Cycle '}
      declared=${rest%%[!0123456789]*}
      case ${rest#"$declared"} in ' handoff' | ' handoff '*) ;; *) declared= ;; esac
      [ "${#declared}" -le 9 ] || declared=
      ;;
    esac
  fi
fi
same_or_refuse

# ---- 7. match -------------------------------------------------------------------------------------------------------

no_match() {
  refuse 4 'the value does not match; the handoff is still armed: read HOOK_NEXT_CYCLE.md and tell the human first'
}
if [ "$mode" = cycle ]; then
  [ -n "$is_text" ] || refuse 6 'HOOK_NEXT_CYCLE.md is not plain text; mend it, or give --digest'
  [ -n "$declared" ] || refuse 6 'the first line of HOOK_NEXT_CYCLE.md declares no cycle; mend it, or give --digest'
  [ "$(strip_zeros "$declared")" = "$value" ] || no_match
else
  case $sha in "$value"*) ;; *) no_match ;; esac
fi

# ---- 8. archive folder ----------------------------------------------------------------------------------------------

cannot() { refuse 8 'the handoff could not be archived below cycles/; it is still armed'; }

exists "$cycles" || mkdir -- "$cycles" 2>/dev/null
if [ -L "$cycles" ] || ! [ -d "$cycles" ]; then
  exists "$cycles" || cannot
  refuse 8 'cycles is not a real directory of this tree, so nothing can be archived; still armed'
fi

# ---- 9. copy: complete and on the disk before it gets its name; a name is never taken twice -------------------------

mark=$$-$now-$(random)
partial=$cycles/.partial-$mark
(set -C && cat <"$hook" >"$partial") 2>/dev/null || {
  exists "$hook" || lost
  cannot
}
chmod 444 "$partial" 2>/dev/null || cannot
[ "$(safe_hash "$partial")" = "$sha" ] || {
  exists "$hook" || lost
  [ "$(safe_hash "$hook")" = "$sha" ] && cannot
  changed
}
flush "$partial" || cannot

stem=$cycles/cycle-${declared:-unknown}_$(date -u +%Y%m%dT%H%M%SZ)_$(printf %.8s "$sha")
copy=1
while :; do
  [ "$copy" -le 99 ] || refuse 8 'every archive name for this moment is taken below cycles/; still armed, try again'
  [ "$copy" -eq 1 ] && archive=$stem.md || archive=$stem-$copy.md
  copy=$((copy + 1))
  exists "$archive" && continue
  if ln -- "$partial" "$archive" 2>/dev/null; then
    own=$archive
    break
  fi
  exists "$archive" && continue
  # A disk without hard links: an exclusive copy.
  (set -C && cat <"$partial" >"$archive") 2>/dev/null || {
    exists "$archive" && own=$archive
    cannot
  }
  own=$archive
  chmod 444 "$archive" 2>/dev/null
  break
done
rm -f -- "$partial"
partial=
flush "$cycles"
[ "$(safe_hash "$own")" = "$sha" ] || cannot

# ---- 10. to 12. hash again, claim by rename, verify what was won -----------------------------------------------------

same_or_refuse
claim=$root/.HOOK_NEXT_CYCLE.claim-$mark
mv -- "$hook" "$claim" 2>/dev/null </dev/null || {
  exists "$hook" || lost
  cannot
}
flush "${root:-/}"
# A claim that is gone was completed by another run that took this one for dead: the archive stands.
if exists "$claim" && [ "$(safe_hash "$claim")" != "$sha" ] && exists "$claim"; then
  put_back "$claim" && changed
  refuse 7 'the handoff changed and a new one appeared at once; both were kept and the new one is armed'
fi
archive=$own
own=

# ---- 13. ledger, removal, report ------------------------------------------------------------------------------------

record dissolved "$archive" "$sha" ||
  printf 'dissolve: archived, but cycles/ledger.ndjson could not be written; check the disk\n' >&2
rm -f -- "$claim"
flush "${root:-/}"
printf 'dissolved: cycles/%s (not committed)\n' "${archive##*/}"
