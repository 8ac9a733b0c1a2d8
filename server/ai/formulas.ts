/** LaTeX commands that begin like a JSON escape: `\frac` is read as a form feed and «rac». */
const EATEN: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\t': '\\t',
  '\r': '\\r',
  '\n': '\\n',
};

const FORMULA =
  /\$\$[^$]{1,4000}\$\$|\$[^$]{1,4000}\$|\\\((?:(?!\\[()])[^$]){1,4000}\\\)|\\\[(?:(?!\\[[\]])[^$]){1,4000}\\\]/g;
/** A line end may occur in a formula; only commands that begin with n are restored. */
const COMMAND =
  /[\b\f\t\r](?=[a-z])|\n(?=(?:eq?|u|abla|ot|otin|leq|geq|mid|parallel|i|cong|subseteq|earrow|warrow)(?![a-z]))/g;

/** Restores the backslashes of formulas where a model wrote single ones into JSON. */
export const restoreFormulas = (text: string): string =>
  text.replace(FORMULA, (formula) => formula.replace(COMMAND, (sign) => EATEN[sign] ?? sign));
