/** The operator's terminal while a tmux client has it: a client whose server was killed gives nothing back. */
import { spawn } from 'node:child_process';

const esc = '\u001b[';
/** Scroll region, mouse, focus, paste and keypad modes, colours, the cursor, and the screen that was there before. */
const resetCodes =
  `${esc}r${esc}?1000l${esc}?1002l${esc}?1003l${esc}?1006l${esc}?1004l${esc}?2004l${esc}?1l\u001b>` +
  `${esc}0m${esc}?25h${esc}?1049l`;

/** Notes how standard input reads now; the answer puts that back and clears every mode tmux may have left on. */
export async function keepTerminal(): Promise<() => Promise<void>> {
  const saved = await new Promise<string | null>((resolve) => {
    const stty = spawn('stty', ['-g'], { stdio: ['inherit', 'pipe', 'ignore'] });
    let said = '';
    stty.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    stty.on('error', () => resolve(null));
    stty.on('close', (code) => resolve(code === 0 ? said.trim() : null));
  });
  return async () => {
    process.stdout.write(resetCodes);
    await new Promise<void>((resolve) => {
      const stty = spawn('stty', [saved ?? 'sane'], { stdio: ['inherit', 'ignore', 'ignore'] });
      stty.on('error', () => resolve());
      stty.on('close', () => resolve());
    });
  };
}
