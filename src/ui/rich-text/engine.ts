import type * as MarkdownModule from './markdown.ts';
import type { RenderFormula } from './markdown.ts';
import { hasMath } from '#domain/format-math.ts';
import { whenIdle } from '#app/lazy/when-idle.ts';
import { createPart, joinParts } from '#app/ui/lazy/part.ts';
import { usePart } from '#app/ui/lazy/use-part.ts';
import { isPlain } from './plain.ts';

export interface Engine {
  drawText: typeof MarkdownModule.drawText;
  draw?: RenderFormula;
}

const withoutMath = createPart(
  () => import('./markdown.ts'),
  ({ drawText }): Engine => ({ drawText }),
);
const katex = createPart(
  () => import('./katex.ts'),
  ({ drawFormula }) => drawFormula,
);
const withMath = joinParts(withoutMath, katex, (engine, draw): Engine => ({ ...engine, draw }));

/** Loads ahead of time, when the page has some, what texts need: the network may be gone when one of them is shown. */
export async function preloadRichText(texts: readonly string[]): Promise<void> {
  const marked = texts.filter((text) => !isPlain(text));
  if (marked.length === 0) return;
  await new Promise<void>(whenIdle);
  await (marked.some(hasMath) ? withMath : withoutMath).load();
}

/**
 * The parser, and KaTeX if a formula needs it. Undefined until loaded; available at once when loaded already. Until
 * then, and if loading fails, the text is shown as typed.
 */
export function useEngine(needed: boolean, math: boolean): Engine | undefined {
  return usePart(needed ? (math ? withMath : withoutMath) : null).loaded;
}
