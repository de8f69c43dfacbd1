/** Terminal text with its SGR escapes, as a capture gives it: to plain text, or to characters that know their style. */

export interface StyledCharacter {
  /** One UTF-16 code unit, so that positions equal those in the plain text. */
  unit: string;
  /** Faint, or bright black: the look of placeholders and of suggestions nobody typed. */
  dim: boolean;
  inverse: boolean;
}

/** CSI sequences, OSC strings (hyperlinks), charset shifts of line drawing, and any other escape of two characters. */
const escapes = /\u001b\[[0-9:;<=>?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b.|[\u000e\u000f]/gs;

export const plainText = (styled: string): string => styled.replace(escapes, '');

export function styledCharacters(styled: string): StyledCharacter[] {
  const characters: StyledCharacter[] = [];
  let style: Style = { faint: false, grey: false, inverse: false };
  let at = 0;
  const take = (text: string): void => {
    const { faint, grey, inverse } = style;
    for (let index = 0; index < text.length; index += 1) {
      characters.push({ unit: text.charAt(index), dim: faint || grey, inverse });
    }
  };
  for (const match of styled.matchAll(escapes)) {
    take(styled.slice(at, match.index));
    at = match.index + match[0].length;
    const parameters = /^\u001b\[([0-9:;]*)m$/.exec(match[0]);
    if (parameters) style = applySgr(style, parameters[1] ?? '');
  }
  take(styled.slice(at));
  return characters;
}

interface Style {
  faint: boolean;
  grey: boolean;
  inverse: boolean;
}

function applySgr(style: Style, parameters: string): Style {
  let { faint, grey, inverse } = style;
  const codes = parameters.split(';').map((code) => (code === '' ? 0 : Number.parseInt(code, 10)));
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48 || code === 58) {
      // Colours carry parameters of their own: `38;5;n` one, `38;2;r;g;b` three.
      if (code === 38) grey = codes[index + 1] === 5 && codes[index + 2] === 8;
      index += codes[index + 1] === 5 ? 2 : codes[index + 1] === 2 ? 4 : 0;
    } else if (code === 0) {
      faint = false;
      grey = false;
      inverse = false;
    } else if (code === 2) faint = true;
    else if (code === 22) faint = false;
    else if (code === 7) inverse = true;
    else if (code === 27) inverse = false;
    else if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97)) grey = code === 90;
  }
  return { faint, grey, inverse };
}
