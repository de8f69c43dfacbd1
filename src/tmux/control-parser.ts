/**
 * tmux's control mode, bytes in, events out; no I/O. A block ends only at a line with the time and number of its
 * beginning. Bytes are cut into lines before they are decoded, so no chunk boundary can split a character.
 */
export type ControlEvent =
  /** `own` is false for blocks of commands we did not write, the attach itself. */
  | { kind: 'reply'; ok: boolean; own: boolean; lines: string[] }
  | { kind: 'notification'; name: string; rest: string }
  /** A line outside any block: a failing tmux hook prints one. To be logged, never to be counted. */
  | { kind: 'stray'; line: string };

export interface ControlParser {
  push(chunk: Buffer): ControlEvent[];
}

export function controlParser(): ControlParser {
  let rest: Buffer = Buffer.alloc(0);
  let block: { id: string; own: boolean; lines: string[] } | null = null;

  const line = (text: string): ControlEvent | null => {
    if (block) {
      const end = /^%(end|error) (\d+ \d+)(?: \d+)?$/.exec(text);
      if (end && end[2] === block.id) {
        const { own, lines } = block;
        block = null;
        return { kind: 'reply', ok: end[1] === 'end', own, lines };
      }
      // tmux up to 3.6 writes these into the reply of the command that caused them, against its manual.
      if (/^%(pause|continue) %\d+$/.test(text)) return notification(text);
      block.lines.push(text);
      return null;
    }
    const begin = /^%begin (\d+ \d+)(?: (\d+))?$/.exec(text);
    if (begin) {
      block = { id: begin[1] ?? '', own: begin[2] === '1', lines: [] };
      return null;
    }
    return text.startsWith('%') ? notification(text) : { kind: 'stray', line: text };
  };

  return {
    push(chunk) {
      const events: ControlEvent[] = [];
      let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10)) {
        const event = line(data.toString('utf8', 0, end));
        if (event) events.push(event);
        data = data.subarray(end + 1);
      }
      rest = data;
      return events;
    },
  };
}

function notification(text: string): ControlEvent {
  const space = text.indexOf(' ');
  return space === -1
    ? { kind: 'notification', name: text.slice(1), rest: '' }
    : { kind: 'notification', name: text.slice(1, space), rest: text.slice(space + 1) };
}
