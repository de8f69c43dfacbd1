/**
 * The text of `.chipset/bin/gt-event <Event> [Tool]`, the one program every runtime calls (POSIX sh: dash, bash 3.2).
 *
 * Its first lines are the fast path: while the agent is declared active and the event can change nothing, it touches
 * the heartbeat with shell built-ins alone and leaves the payload unread. `heartbeat/<agent>.fast` is the word for that:
 * `<instance> <session> <variable> <Event> <Event> …`, written by the one writer of session records and by nobody else.
 * Everything unclear starts Node. A runtime is never held up or failed by us: exit 0, or 2 for a deliberate block.
 */
import { shellWord } from '../domain/quote.ts';

export interface EntryProgram {
  /** Absolute path of the Node that built the town. */
  node: string;
  /** Absolute path of the bundled event program. */
  eventProgram: string;
}

/** Traps: a redirection that fails on a special built-in ends dash with 2, a block; `read` on a pipe goes byte by byte. */
export function entryScript({ node, eventProgram }: EntryProgram): string {
  return `#!/bin/sh
# Written by gastown. Usage: gt-event <Event> [Tool], with the payload on stdin. Outside a town it does nothing.
[ "\${GASTOWN_DISABLE-}" != 1 ] && [ -n "\${GT_AGENT_ID-}" ] && [ -n "\${GT_STATE_DIR-}" ] || exit 0
b=$GT_STATE_DIR/heartbeat/$GT_AGENT_ID
{ read -r i s v f <"$b.fast"; } 2>/dev/null && [ "$i" = "\${GT_INSTANCE_ID:--}" ] && case " $f " in
*" $1\${2:+:$2} "*)
  case $v in CLAUDE_CODE_SESSION_ID) n=\${CLAUDE_CODE_SESSION_ID:-$s} ;; GEMINI_SESSION_ID) n=\${GEMINI_SESSION_ID:-$s} ;; *) n=$s ;; esac
  [ "$n" = "$s" ] ;;
*) false ;;
esac && {
  case $1 in
  PreToolUse | BeforeTool | tool.execute.before) { echo "$1" >"$b.tool"; echo "+\${2:-tool}" >>"$b.calls"; echo "$1" >"$b.event"; } ;;
  PostToolUse | PostToolUseFailure | AfterTool | tool.execute.after) { echo "$1" >"$b.tool"; echo "-\${2:-tool}" >>"$b.calls"; echo "$1" >"$b.event"; } ;;
  *) echo "$1" >"$b.event" ;;
  esac
  exit 0
} 2>/dev/null
case $GT_AGENT_ID in *[!a-z0-9-]*) exit 0 ;; esac
[ -d "$GT_STATE_DIR" ] || exit 0
node=${shellWord(node)} program=${shellWord(eventProgram)}
why=node-is-gone
if [ -x "$node" ] && why=program-is-gone && [ -r "$program" ]; then
  unset NODE_OPTIONS NODE_V8_COVERAGE NODE_DEBUG
  "$node" "$program" "$@" 2>/dev/null
  case $? in 0) exit 0 ;; 2) exit 2 ;; esac
  why=program-failed
fi
{ echo "$why" >>"$b.trouble"; } 2>/dev/null
exit 0
`;
}
