import { FILE_BYTES } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';

/** An empty question of one kind, with placeholders for its parts. */
export function newQuestion(kind: Question['kind'], newId: () => string): Question {
  const base = { questionId: newId(), text: '', points: 1 };
  switch (kind) {
    case 'open':
      return { ...base, kind, input: 'line', accepted: [{ text: '', share: 1 }], tolerance: 0 };
    case 'variant':
      return {
        ...base,
        kind,
        multiple: false,
        shuffle: false,
        scoring: 'partial',
        options: [1, 2, 3, 4].map(() => ({ optionId: newId(), text: '', isRight: false })),
      };
    case 'compliance': {
      const pairs = [1, 2, 3].map(() => ({ leftId: newId(), rightId: newId() }));
      return {
        ...base,
        kind,
        shuffle: true,
        left: pairs.map(({ leftId }) => ({ leftId, text: '' })),
        right: pairs.map(({ rightId }) => ({ rightId, text: '' })),
        pairs,
      };
    }
    case 'ordering':
      return { ...base, kind, items: [1, 2, 3].map(() => ({ itemId: newId(), text: '' })) };
    case 'gaps':
      return { ...base, kind, gaps: [] };
    case 'file':
      return { ...base, kind, maxBytes: FILE_BYTES, accept: [] };
  }
}
