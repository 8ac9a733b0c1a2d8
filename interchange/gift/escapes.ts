/** GIFT's control characters; a backslash before one makes it text. */
const SIGNS = '\\:#={}~';
const FIRST = 0xe100;
const LINE_BREAK = String.fromCharCode(FIRST + SIGNS.length);
const PLACEHOLDERS = /[\ue100-\ue10f]/g;
// LaTeX commands in Moodle that begin like the escape of a line break.
const FORMULA = /\\\([\s\S]{0,500}?\\\)|\\\[[\s\S]{0,500}?\\\]|\$\$[\s\S]{0,500}?\$\$/g;
const TEX_COMMAND =
  /(?<!\\)\\n(?=(?:eq|abla|otin|ot|u|i|e|earrow|mid|parallel|subseteq)(?![a-z]))/g;

/** Replaces each escaped character with a placeholder, so that the remaining ones are control characters. */
export function hideEscapes(text: string): string {
  const free = text.replaceAll(PLACEHOLDERS, '');
  return free
    .replaceAll(FORMULA, (formula) => formula.replaceAll(TEX_COMMAND, '\\\\n'))
    .replaceAll(/\\([\\:#={}~n])/g, (_, sign: string) =>
      sign === 'n' ? LINE_BREAK : String.fromCharCode(FIRST + SIGNS.indexOf(sign)),
    );
}

/** Replaces the placeholders with the characters again. */
export const showEscapes = (text: string): string =>
  text.replaceAll(PLACEHOLDERS, (mark) => SIGNS[mark.charCodeAt(0) - FIRST] ?? '\n');

/** Escapes a text for GIFT; line breaks too, as a blank line would end the question. */
export const escaped = (text: string): string =>
  text.replaceAll(/[\\:#={}~]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
