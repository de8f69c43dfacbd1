/** Hygiene of text that came from elsewhere: beads, mail, handoffs, panes (decision 12). It is data, never orders. */

/** C0, DEL and C1 controls; tab and newline are the caller's to keep. Also bidi controls and lone surrogates. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Many lines: controls removed, `\r\n` and `\r` become newlines, tabs and newlines stay. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(controls, '')
    .replace(loneSurrogate, '\ufffd');

/** One line: every run of white space is one space. For titles, rows and receipts. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();
