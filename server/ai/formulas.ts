/** Commands of formulas that begin like an escape of JSON: `\frac` is read as a form feed and «rac». */
const EATEN: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\t': '\\t',
  '\r': '\\r',
  '\n': '\\n',
};

const FORMULA = /\$\$[^$]{1,4000}\$\$|\$[^$]{1,4000}\$/g;
/** A line end may well stand in a formula; only the commands that begin with n are told from it. */
const COMMAND =
  /[\b\f\t\r](?=[a-z])|\n(?=(?:eq?|u|abla|ot|otin|leq|geq|mid|parallel|i|cong|subseteq|earrow|warrow)(?![a-z]))/g;

/** Gives formulas their backslashes back where a model wrote single ones into JSON. */
export const restoreFormulas = (text: string): string =>
  text.replace(FORMULA, (formula) => formula.replace(COMMAND, (sign) => EATEN[sign] ?? sign));
