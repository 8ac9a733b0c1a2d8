import { expect, test } from 'vitest';
import { fileAddresses, textsOf } from './pictures.ts';

const key = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const picture = (n: number) => `![рисунок](file:${key(n)})`;

test('pictures of texts, options and items are found wherever they stand, each once', () => {
  const base = { points: 1 };
  const texts = textsOf([
    { ...base, questionId: 'a', kind: 'open', input: 'line', text: `Что это? ${picture(1)}` },
    {
      ...base,
      questionId: 'b',
      kind: 'variant',
      multiple: false,
      text: picture(1),
      options: [{ optionId: 'o', text: picture(2) }],
    },
    {
      ...base,
      questionId: 'c',
      kind: 'compliance',
      text: '![чужая](https://example.org/a.png)',
      left: [{ leftId: 'l', text: picture(3) }],
      right: [{ rightId: 'r', text: picture(4) }],
    },
  ]);
  const inFeedback = textsOf([
    {
      ...base,
      questionId: 'd',
      kind: 'gaps',
      text: '[[1]] и [[2]]',
      transcript: picture(6),
      passage: { passageId: 'p', text: 'Текст', transcript: picture(7) },
      gaps: [
        {
          gapId: '1',
          weight: 1,
          input: 'choice',
          options: [{ optionId: 'o', text: 'а', isRight: true, feedback: picture(8) }],
        },
        {
          gapId: '2',
          weight: 1,
          input: 'line',
          tolerance: 0,
          accepted: [{ text: 'б', share: 1, feedback: picture(9) }],
        },
      ],
    },
  ]);
  expect(fileAddresses(inFeedback)).toEqual([6, 7, 8, 9].map((n) => `file:${key(n)}`));
  texts.push(`![Аудио [1]](audio-file:${key(5)})`);
  expect(fileAddresses(texts)).toEqual([
    ...[1, 2, 3, 4].map((n) => `file:${key(n)}`),
    `audio-file:${key(5)}`,
  ]);
});
