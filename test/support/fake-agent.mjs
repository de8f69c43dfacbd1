// A line-editor program for tests of keystrokes: a composer in raw mode that logs what was submitted, byte for byte.
// FAKE_LOG: file of JSON lines. FAKE_OPTIONS: JSON {startMs, bracketed, swallowEnters, dialog, ghost, lineMode,
// footer}.
import { appendFileSync } from 'node:fs';

const log = process.env.FAKE_LOG;
const options = {
  startMs: 0,
  bracketed: true,
  swallowEnters: 0,
  dialog: false,
  ghost: '',
  footer: 'fake ready',
  ...JSON.parse(process.env.FAKE_OPTIONS ?? '{}'),
};
const record = (entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
const write = (text) => process.stdout.write(text);

let composer = '';
let isPasting = false;
let pending = Buffer.alloc(0);
let dialog = options.dialog;

function draw() {
  write('\x1b[H\x1b[2J');
  if (dialog) return write('Do you trust this folder?\r\n 1. Yes\r\n');
  write('fake agent\r\n');
  const shown = composer.length > 2000 ? `[Pasted text ${composer.length}]` : composer.split('\n').join('\r\n  ');
  const ghost =
    composer === '' && options.ghost !== ''
      ? `\x1b[7m${options.ghost[0]}\x1b[27m\x1b[2m${options.ghost.slice(1)}\x1b[22m`
      : '';
  write(`❯ ${shown}${ghost}\x1b7\r\n  ${options.footer}\r\n\x1b8`);
}

function submit() {
  if (options.swallowEnters > 0) {
    options.swallowEnters -= 1;
    record({ swallowed: true });
    return;
  }
  if (composer !== '') record({ submitted: composer });
  composer = '';
}

function take(text) {
  for (const character of text) {
    if (dialog) record({ dialogKey: character });
    else if (character === '\r' && !isPasting) submit();
    else if (character === '\x03') record({ interrupt: true });
    else if (character === '\x1b') record({ escape: true });
    else composer += character;
  }
}

/** Paste brackets are taken out here; a bracket or a character cut in two by a chunk waits for its rest. */
function feed(chunk) {
  pending = Buffer.concat([pending, chunk]);
  for (;;) {
    const mark = isPasting ? '\x1b[201~' : '\x1b[200~';
    const at = pending.indexOf(mark);
    if (at === -1) break;
    take(pending.subarray(0, at).toString());
    isPasting = !isPasting;
    pending = pending.subarray(at + mark.length);
  }
  let keep = 0;
  const tail = pending.subarray(-8);
  const start = tail.lastIndexOf(0x1b);
  if (start !== -1) keep = tail.length - start;
  else
    for (let back = 1; back <= Math.min(3, tail.length); back += 1) {
      const byte = tail[tail.length - back];
      if (byte >= 0xc0) {
        keep = back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
        break;
      }
      if (byte < 0x80) break;
    }
  take(pending.subarray(0, pending.length - keep).toString());
  pending = pending.subarray(pending.length - keep);
}

function begin() {
  if (options.bracketed) write('\x1b[?2004h');
  // What was typed before it was ready is lost, as with a program that flushes its input.
  process.stdin.setRawMode(true);
  process.stdin.on('data', (chunk) => {
    if (chunk.toString() === 'y' && dialog) {
      dialog = false;
      draw();
      return;
    }
    feed(chunk);
    draw();
  });
  draw();
  record({ ready: true });
}

if (options.lineMode) {
  write('line> ');
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (line) => {
    record({ submitted: line });
    write('line> ');
  });
  record({ ready: true });
} else if (options.startMs > 0) {
  write('starting\r\n');
  setTimeout(begin, options.startMs);
} else begin();
