/** Signs that steer GIFT; a backslash before one makes it text. */
const SIGNS = '\\:#={}~';
const FIRST = 0xe100;
const LINE_BREAK = String.fromCharCode(FIRST + SIGNS.length);
const PLACEHOLDERS = /[\ue100-\ue10f]/g;
// Formulas as teachers type them in Moodle, with commands that begin as the escape of a line break does.
const FORMULA = /\\\([\s\S]{0,500}?\\\)|\\\[[\s\S]{0,500}?\\\]|\$\$[\s\S]{0,500}?\$\$/g;
const TEX_COMMAND =
  /(?<!\\)\\n(?=(?:eq|abla|otin|ot|u|i|e|earrow|mid|parallel|subseteq)(?![a-z]))/g;

/** Puts a placeholder in the place of each escaped sign, so that what is left steers. */
export function hideEscapes(text: string): string {
  const free = text.replaceAll(PLACEHOLDERS, '');
  return free
    .replaceAll(FORMULA, (formula) => formula.replaceAll(TEX_COMMAND, '\\\\n'))
    .replaceAll(/\\([\\:#={}~n])/g, (_, sign: string) =>
      sign === 'n' ? LINE_BREAK : String.fromCharCode(FIRST + SIGNS.indexOf(sign)),
    );
}

/** The signs again in the place of the placeholders. */
export const showEscapes = (text: string): string =>
  text.replaceAll(PLACEHOLDERS, (mark) => SIGNS[mark.charCodeAt(0) - FIRST] ?? '\n');

/** A text that GIFT reads as it is; line breaks inside, as a blank line would end the question. */
export const escaped = (text: string): string =>
  text.replaceAll(/[\\:#={}~]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
