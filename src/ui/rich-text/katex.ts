import katex from 'katex';
import 'katex/dist/katex.min.css';
import type { DrawFormula } from './markdown.ts';

/** Draws one formula; a wrong one is shown as it was typed, and none can run or load anything. */
export const drawFormula: DrawFormula = ({ tex, display }, into) => {
  try {
    katex.render(tex, into, {
      displayMode: display,
      throwOnError: false,
      trust: false,
      strict: 'ignore',
      maxExpand: 200,
      maxSize: 20,
      errorColor: 'var(--app-bad-text)',
    });
  } catch {
    into.textContent = tex;
  }
};
