const MARKED_UP = /[\\`*_[\]#|~$&]|^\s*(?:[-+>=]|\d+[.)])\s|^\s{4}|^-{3}|https?:|www\.|@/m;

/** Whether a text means the same without a Markdown parser, so that the parser need not be loaded. */
export function isPlain(text: string): boolean {
  return !MARKED_UP.test(text);
}
