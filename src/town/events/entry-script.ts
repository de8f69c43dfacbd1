/**
 * The text of `.chipset/bin/gt-event <Event> [Tool]`, the one program every runtime calls (POSIX sh: dash, bash 3.2).
 *
 * Its first lines are the fast path: while the agent is declared active and the event can change nothing, they touch the
 * heartbeat with shell built-ins alone and leave the payload unread. The word for that is the file
 * `heartbeat/<agent>.fast/<instance>.<session>`, kept by the one writer of session records (`fast-marker.ts`).
 * Everything unclear starts Node. A runtime is never held up or failed by us: exit 0, or 2 for a deliberate block.
 *
 * Traps: `read` takes a byte at a time; truncating a file makes ext4 write it out on close (`1<>` does not truncate); a
 * redirection of `exec` that fails ends dash with 2, which a runtime takes for a block, so a trap makes it 0. What costs
 * Node's start is taken from its environment: certificates for TLS (more than all the rest), the time zone's file; and the
 * program's path is a real one already.
 */
import { shellWord } from '../../domain/quote.ts';

export interface EntryProgram {
  /** Absolute path of the Node that built the town. */
  node: string;
  /** Absolute path of the bundled event program. */
  eventProgram: string;
}

/** Words after a tool event that say nothing of importance: groups of tools, as the runtime's own matchers sort them. */
export const toolGroups = ['Agent', 'Bash', 'Edit', 'Read', 'Search', 'Web', 'tool'] as const;

const begins = ['PreToolUse', 'BeforeTool', 'tool.execute.before'] as const;
/** A failed tool is always looked at: failures are few, and a handler may know what to do. */
const ends = ['PostToolUse', 'AfterTool', 'tool.execute.after'] as const;

const pattern = (names: readonly string[]): string =>
  names.flatMap((name) => [name, ...toolGroups.map((group) => `${name}:${group}`)]).join('|');

export function entryScript({ node, eventProgram }: EntryProgram): string {
  return `#!/bin/sh
# Written by gastown. gt-event <Event> [Tool], payload on stdin. Outside a town it does nothing.
[ "\${GASTOWN_DISABLE-}" != 1 ] && [ -n "\${GT_AGENT_ID-}" ] && [ -n "\${GT_STATE_DIR-}" ] || exit 0
b=$GT_STATE_DIR/heartbeat/$GT_AGENT_ID w=$1\${2:+:$2}
case \${GT_RUNTIME-} in claude) s=\${CLAUDE_CODE_SESSION_ID:--} ;; gemini) s=\${GEMINI_SESSION_ID:--} ;; *) s=- ;; esac
m=$b.fast/\${GT_INSTANCE_ID:--}.$s
if [ -e "$m" ] && [ ! "$b.fast/record" -nt "$m" ] && [ ! -e "$b.fast/slow.$w" ]; then
  case $w in
  ${pattern(begins)}) c=+\${2:-tool} ;;
  ${pattern(ends)}) c=-\${2:-tool} ;;
  PostToolBatch) c= ;;
  *) w= ;;
  esac
  if [ -n "$w" ]; then
    trap 'exit 0' 0
    exec 2>&-
    exec 1<>"$b.tool"; echo "$1"
    exec 1<>"$b.event"; echo "$1"
    [ -z "$c" ] || { exec >>"$b.calls"; echo "$c"; }
    exit 0
  fi
fi
case $GT_AGENT_ID in *[!a-z0-9-]*) exit 0 ;; esac
[ -d "$GT_STATE_DIR" ] || exit 0
node=${shellWord(node)} program=${shellWord(eventProgram)} why=node-is-gone
if [ -x "$node" ] && why=program-is-gone && [ -r "$program" ]; then
  unset NODE_OPTIONS NODE_V8_COVERAGE NODE_DEBUG NODE_EXTRA_CA_CERTS
  TZ=UTC "$node" --preserve-symlinks-main "$program" "$@" 2>/dev/null
  case $? in 0) exit 0 ;; 2) exit 2 ;; esac
  why=program-failed
fi
{ echo "$why" >>"$b.trouble"; } 2>/dev/null
exit 0
`;
}
