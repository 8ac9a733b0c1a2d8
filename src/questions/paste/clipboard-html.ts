/** Markup that would change a text if it were lost. */
const FORMATTED =
  /<(?:sup|sub|table|ul|ol|img|math|b|strong|i|em|code|pre|h[1-6]|blockquote|del|s|strike|u|a|audio|video|iframe|object)[\s>/]|vertical-align\s*:\s*(?:super|sub)|font-weight\s*:\s*(?:bold|[6-9]00)|font-style\s*:\s*italic|mso-list|msEquation|katex|MathJax/i;

/** Scripts, formulas and pictures, which a plain field replaces with characters. */
const LEVELLED =
  /<(?:sup|sub|math|img)[\s>/]|vertical-align\s*:\s*(?:super|sub)|msEquation|katex|MathJax/i;

const HEAD = /<head[\s>][\s\S]*?<\/head>/i;

/** The HTML of a clipboard if it contains more than its text; null: the browser pastes the text. */
export function formattedHtml(clipboard: DataTransfer, kind: 'rich' | 'plain'): string | null {
  // The colours of a source code editor mean nothing in the text.
  if (clipboard.types.includes('vscode-editor-data')) return null;
  const html = clipboard.getData('text/html');
  const pattern = kind === 'rich' ? FORMATTED : LEVELLED;
  return pattern.test(html.replace(HEAD, '')) ? html : null;
}
