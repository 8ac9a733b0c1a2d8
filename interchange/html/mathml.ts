import { hasMath } from '#domain/format-math.ts';
import type { Question } from '#contract/questions.ts';
import { texInText, type XhtmlPiece } from '#interchange/html/to-xhtml.ts';
import { tag, type Written } from '#interchange/xml-writer.ts';
import { parseXml, type XmlElement } from '#interchange/xml.ts';

export type DrawFormula = (
  tex: string,
  display: boolean,
  loss: (line: string) => void,
) => readonly XhtmlPiece[];

const asWritten = (node: XmlElement): Written =>
  tag(
    node.name,
    Object.fromEntries(node.attributes),
    ...node.children.map((child) => (typeof child === 'string' ? child : asWritten(child))),
  );

/** Renders formulas as MathML with a TeX annotation. KaTeX is loaded only if a text has a formula. */
export async function mathmlDrawer(questions: readonly Question[]): Promise<DrawFormula> {
  if (!hasMath(JSON.stringify(questions).replaceAll('\\\\', '\\'))) return texInText;
  const { default: katex } = await import('katex');
  return (tex, display, loss) => {
    try {
      const markup = katex.renderToString(tex, {
        output: 'mathml',
        displayMode: display,
        throwOnError: true,
        trust: false,
        strict: 'ignore',
        maxExpand: 200,
      });
      const math = parseXml(markup).children.find(
        (child): child is XmlElement => typeof child !== 'string' && child.name === 'math',
      );
      if (math) return [asWritten(math)];
    } catch {
      // An invalid formula is written as typed.
    }
    loss('формула с ошибкой останется текстом');
    return texInText(tex, display);
  };
}
