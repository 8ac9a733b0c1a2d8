import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import { createPictures, fileAddresses, textsOf } from './pictures.ts';

const NONE: readonly Question[] = [];

/** Provides pictures and recordings to the texts in it. Those of the questions are fetched ahead of going offline. */
export function QuestionPictures({
  of: questions = NONE,
  children,
}: {
  of?: readonly (Question | StudentQuestion)[];
  children: ReactNode;
}) {
  const [pictures] = useState(createPictures);
  const texts = useMemo(() => textsOf(questions), [questions]);
  useEffect(() => {
    // If offline from the start, pictures stay unresolved until the next mount.
    preloadRichText(texts).catch(() => undefined);
  }, [texts]);
  const addresses = fileAddresses(texts).join(' ');
  useEffect(() => {
    void pictures.prefetch(addresses.split(' ').filter(Boolean));
  }, [pictures, addresses]);
  useEffect(() => () => pictures.close(), [pictures]);
  return <Pictures value={pictures.resolve}>{children}</Pictures>;
}
