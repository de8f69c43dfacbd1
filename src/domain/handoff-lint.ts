/** What is wrong with a handoff's content: the few defects the gate itself refuses, and all that `handoff lint` tells. */
import { compareCycles, declaredCycle, handoffLimitBytes } from './handoff.ts';

/**
 * Content that is none: nothing but white space, or nothing but a template's placeholders (field report 49). `text` may
 * be decoded loosely; the gate asks this of any file, in both modes.
 */
export function contentDefect(text: string): 'empty' | 'placeholder' | null {
  const lines = text.split('\n').map((line) => line.trim());
  const filled = lines.filter((line) => line !== '' && line !== '\ufeff');
  if (filled.length === 0) return 'empty';
  if (lines.slice(0, 20).some(isPlaceholderSession)) return 'placeholder';
  const body = filled.filter((line) => !line.startsWith('#'));
  return body.length > 0 && body.every(isPlaceholder) ? 'placeholder' : null;
}

/** A line whose session id a model copied from an example in place of a real one. */
const placeholderSession =
  /^(?:[-*] )?session(?:_id)?: *["']?(?:current|unknown|todo|tbd|placeholder|your-session-id|session-id|<.*>|\{\{.*\}\})?["']?$/i;

export const isPlaceholderSession = (line: string): boolean => line.length <= 200 && placeholderSession.test(line);

/** A template's line: a bare `TODO`, `<what is open>`, `{{open}}`, or a label with one of these or nothing behind it. */
const isPlaceholder = (line: string): boolean =>
  line.length <= 200 &&
  /^(?:[-*] *)?(?:[A-Za-z][A-Za-z _-]{0,40}: *)?(?:<[^<>]*>|\{\{[^{}]*\}\}|TODO|TBD)?$/.test(line);

export interface HandoffFinding {
  level: 'error' | 'warning';
  message: string;
}

/**
 * `bytes`: at most the limit plus one; `text`: strict UTF-8 without NUL, or null; `highest`: the highest archived
 * cycle, or null. No message shows a cycle or a digest.
 */
export function lintHandoff(bytes: Uint8Array, text: string | null, highest: string | null): HandoffFinding[] {
  if (bytes.length > handoffLimitBytes) return [error('it is larger than a handoff may be (one MiB)')];
  if (text === null) return [error('it is not plain UTF-8 text')];
  const findings: HandoffFinding[] = [];
  const defect = contentDefect(text);
  if (defect === 'empty') return [error('it has no content')];
  if (defect === 'placeholder') findings.push(error('it still holds placeholders in place of a handoff'));

  const declared = declaredCycle(text);
  if (declared === null) findings.push(error(`the first line must read "# Cycle N handoff"${firstLineHint(text)}`));
  else if (highest !== null && compareCycles(declared, highest) <= 0) {
    findings.push(error('its cycle is not greater than the highest archived one'));
  }
  const later = text.split('\n').slice(1);
  if (later.some((line) => declaredCycle(line) !== null)) {
    findings.push(warning('a later line declares a cycle too; only the first line counts'));
  }
  if (later.every((line) => line.trim() === '' || line.startsWith('#'))) {
    findings.push(warning('it has headings but says nothing: what is open, what is signed, where work stopped'));
  }
  if (unclosedFence(text)) findings.push(warning('a code fence is not closed'));
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(text)) {
    findings.push(warning('it holds control characters; they are never shown raw'));
  }
  return findings;
}

function firstLineHint(text: string): string {
  if (text.startsWith('\ufeff')) return '; remove the byte order mark';
  if (/^\s*\n/.test(text)) return '; the first line is blank';
  if (text.startsWith('---')) return '; put front matter, if any, below it';
  if (/^(?:<{7}|={7}|>{7})/.test(text)) return '; resolve the merge conflict';
  return '';
}

const unclosedFence = (text: string): boolean => (text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;

const error = (message: string): HandoffFinding => ({ level: 'error', message });
const warning = (message: string): HandoffFinding => ({ level: 'warning', message });
