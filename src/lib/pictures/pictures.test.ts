import { expect, test } from 'vitest';
import { fileAddresses, textsOf } from './pictures.ts';

const key = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const picture = (n: number) => `![рисунок](file:${key(n)})`;

test('pictures of texts, options and items are found, each once', () => {
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
  texts.push(`![Аудио [1]](audio-file:${key(5)})`);
  expect(fileAddresses(texts)).toEqual([
    ...[1, 2, 3, 4].map((n) => `file:${key(n)}`),
    `audio-file:${key(5)}`,
  ]);
});
