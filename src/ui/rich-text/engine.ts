import { useEffect, useState } from 'react';
import type * as MarkdownModule from './markdown.ts';
import type { RenderFormula } from './markdown.ts';
import { hasMath } from '#domain/format-math.ts';
import { isPlain } from './plain.ts';

export interface Engine {
  drawText: typeof MarkdownModule.drawText;
  draw?: RenderFormula;
}

let withoutMath: Engine | undefined;
let withMath: Engine | undefined;

async function load(math: boolean): Promise<void> {
  const [{ drawText }, katex] = await Promise.all([
    withoutMath ?? import('./markdown.ts'),
    math ? import('./katex.ts') : undefined,
  ]);
  withoutMath ??= { drawText };
  if (katex) withMath ??= { drawText, draw: katex.drawFormula };
}

/** Loads ahead of time what some texts need: when one of them is shown, the network may be gone. */
export async function preloadRichText(texts: readonly string[]): Promise<void> {
  const marked = texts.filter((text) => !isPlain(text));
  if (marked.length > 0) await load(marked.some(hasMath));
}

/**
 * The parser, and KaTeX where a formula needs it: undefined until loaded, at once when loaded
 * already. When loading fails the text stays as it was typed until the next mount tries again.
 */
export function useEngine(needed: boolean, math: boolean): Engine | undefined {
  const [, setArrived] = useState(0);
  const engine = needed ? (math ? withMath : withoutMath) : undefined;
  const missing = needed && !engine;
  useEffect(() => {
    if (!missing) return;
    let current = true;
    const tell = () => {
      if (current) setArrived((count) => count + 1);
    };
    load(math).then(tell, tell);
    return () => {
      current = false;
    };
  }, [missing, math]);
  return engine;
}
