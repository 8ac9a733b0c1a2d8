import { useState } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { formatCount, type Forms } from '#domain/format.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';

const LINES: Forms = ['строка', 'строки', 'строк'];

/** For a pasted list with more lines than a question may have parts: how many fit, and the message about it. */
export function usePastedLines<P>(parts: readonly P[]) {
  const [cut, setCut] = useState('');
  return {
    /** The parts as they fit, `pasted` of them new or filled. */
    fitted(next: readonly P[], pasted: number): P[] {
      const missing = next.length - PARTS_PER_QUESTION;
      setCut(
        missing > 0
          ? `Вставлено ${pasted - missing} из ${formatCount(pasted, LINES)}: остальное не поместилось.`
          : '',
      );
      return next.slice(0, PARTS_PER_QUESTION);
    },
    note: cut !== '' && parts.length >= PARTS_PER_QUESTION && (
      <InlineNote tone="warn" role="status">
        {cut}
      </InlineNote>
    ),
  };
}
