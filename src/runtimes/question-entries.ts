/**
 * The entries of a settings file in the shape that Codex and Gemini share. The tool that asks the human has entries of its
 * own: the common one leaves its payload unread.
 */

/** `group` makes the entry for the words `<Event> [Tool]`; `toolEvents` are the two around a tool. */
export const withQuestionEntries = <Group extends object>(
  events: readonly string[],
  toolEvents: readonly string[],
  questionTool: string,
  group: (words: string) => Group,
): Record<string, (Group & { matcher?: string })[]> =>
  Object.fromEntries(
    events.map((event) => [
      event,
      toolEvents.includes(event)
        ? [group(event), { matcher: `^${questionTool}$`, ...group(`${event} ${questionTool}`) }]
        : [group(event)],
    ]),
  );
