import katex from 'katex';
import 'katex/dist/katex.min.css';
import type { RenderFormula } from './markdown.ts';

const LIMITS = { trust: false, strict: 'ignore', maxExpand: 200, maxSize: 20 } as const;

/** Draws one formula. A faulty one is shown as typed; none can run or load anything. */
export const drawFormula: RenderFormula = ({ tex, display }, into) => {
  try {
    katex.render(tex, into, {
      ...LIMITS,
      displayMode: display,
      // Screen readers speak its text: MathML is silent in the names of controls, and in most readers.
      output: 'html',
      throwOnError: false,
      errorColor: 'var(--app-bad-text)',
    });
  } catch {
    into.textContent = tex;
  }
};

/** KaTeX's own message about a faulty formula, or null. Limited in time, like drawing. */
export function formulaFault(tex: string): string | null {
  try {
    katex.renderToString(tex, { ...LIMITS, throwOnError: true });
    return null;
  } catch (error) {
    return error instanceof katex.ParseError ? error.rawMessage : String(error);
  }
}
