/**
 * Every refusal of the gate: one constant sentence and one exit code each (decision 20). No sentence holds a digit, so
 * none can show a cycle, a digest, a length or how near a value came; near and far misses are the same bytes.
 */

const table = {
  usage: [2, 'give exactly one of --cycle N (digits) or --digest HEX (twelve or more hex digits), once; see --help'],
  not_armed: [3, 'no handoff is armed in this tree'],
  finished: [3, 'an interrupted dissolution was completed; no handoff is armed in this tree'],
  no_match: [
    4,
    'the value does not match; the handoff is still armed: read HOOK_NEXT_CYCLE.md and tell the human first',
  ],
  no_cwd: [5, 'the current directory no longer exists, so its tree cannot be told; nothing was touched'],
  inside_git: [5, 'the current directory lies inside a .git directory, not in a working tree; nothing was touched'],
  inside_bare: [5, 'the current directory lies inside a bare repository; nothing was touched'],
  nested: [
    5,
    'the current directory belongs to a nested repository or worktree, not to this tree; nothing was touched',
  ],
  outside: [5, 'the current directory lies outside of this tree; nothing was touched'],
  other_toplevel: [5, 'git says that the current directory belongs to another working tree; nothing was touched'],
  session_tree: [
    5,
    'this session is bound to another tree and may only dissolve the handoff there; nothing was touched',
  ],
  session_unknown: [5, 'the record of this session cannot be read, so its tree cannot be told; nothing was touched'],
  role: [5, 'a worker with a narrow task never dissolves this handoff; leave it to crew, mayor or the human'],
  attempts: [5, 'too many values did not match in this session; the handoff is still armed and needs the human'],
  unacknowledged: [5, 'the human has not acknowledged this handoff yet (control pane, key g); it is still armed'],
  symlink: [6, 'HOOK_NEXT_CYCLE.md is a symbolic link; only a regular file can be dissolved'],
  not_regular: [6, 'HOOK_NEXT_CYCLE.md is not a regular file; only a regular file can be dissolved'],
  linked: [6, 'HOOK_NEXT_CYCLE.md has a second name (hard link), so its bytes are not safe; it is still armed'],
  empty: [6, 'HOOK_NEXT_CYCLE.md has no content; write a handoff or remove it by hand'],
  too_large: [6, 'HOOK_NEXT_CYCLE.md is larger than a handoff may be; it is still armed'],
  unreadable: [6, 'HOOK_NEXT_CYCLE.md cannot be read (permissions or disk); it is still armed'],
  first_line: [6, 'the first line of HOOK_NEXT_CYCLE.md declares no cycle; mend it, or give --digest'],
  not_text: [6, 'HOOK_NEXT_CYCLE.md is not plain text; mend it, or give --digest'],
  placeholder: [6, 'HOOK_NEXT_CYCLE.md still holds placeholders in place of a handoff; fill it in first'],
  lost: [7, 'another caller dissolved or is dissolving this handoff; nothing is left to do here'],
  changed: [7, 'the handoff changed while it was checked; what lies there now is armed: read it again'],
  both_kept: [7, 'the handoff changed and a new one appeared at once; both were kept and the new one is armed'],
  archive: [8, 'the handoff could not be archived below cycles/'],
  archive_folder: [8, 'cycles is not a real directory of this tree, so nothing can be archived; still armed'],
  archive_names: [8, 'every archive name for this moment is taken below cycles/; still armed, try again'],
} as const satisfies Record<string, readonly [exit: number, message: string]>;

export type RefusalReason = keyof typeof table;

/** `errno` is a name such as ENOSPC, said only where archiving failed. */
export interface Refusal {
  reason: RefusalReason;
  errno?: string;
}

export const refusalExit = (reason: RefusalReason): number => table[reason][0];

export function refusalText({ reason, errno }: Refusal): string {
  const message = table[reason][1];
  return reason === 'archive' ? `${message} (${errno ?? 'unknown error'}); it is still armed` : message;
}

/** The same keys in every refusal. No time, no argument, no path: nothing that could differ between two misses. */
export const refusalRecord = (refusal: Refusal): Record<string, unknown> => ({
  dissolved: false,
  reason: refusal.reason,
  message: refusalText(refusal),
});
