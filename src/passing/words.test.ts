import { expect, test } from 'vitest';
import type { AttemptView } from '#app/outbox/types.ts';
import { latenessWords, takenOverWords } from './words.ts';

const AT = Date.parse('2026-05-22T08:22:00Z');
const view = (waiting: number, held = 0) =>
  ({
    counts: { waiting },
    countsUntil: AT,
    answers: Array.from({ length: held }, () => ({ stage: 'held' })),
  }) as unknown as AttemptView;
const words = (waiting: number, now: number) => takenOverWords(view(waiting), now, 'Europe/Moscow');

test('the device that was taken from says what lies on it, and promises no more than is known', () => {
  expect(words(0, AT - 1)).toBe('Неотправленных ответов здесь нет.');
  expect(words(1, AT - 1)).toBe(
    '1 ответ ещё только на этом устройстве: он уйдёт сам, когда будет связь, и засчитается, если там на этот вопрос не ответили. Что дойдёт после завершения теста или позже 11:22, увидит преподаватель и решит.',
  );
  expect(words(3, AT - 1)).toContain('3 ответа ещё только на этом устройстве: они уйдут сами');
  expect(words(3, AT)).toContain('Срок приёма прошёл: решит преподаватель.');
});

test('what came after the finish is said to wait for the teacher, not to count', () => {
  const held = (count: number) => takenOverWords(view(0, count), AT - 1, 'Europe/Moscow');
  expect(held(1)).toBe(
    'Неотправленных ответов здесь нет. 1 ответ дошёл поздно и ждёт решения преподавателя.',
  );
  expect(held(3)).toContain('3 ответа дошли поздно и ждут решения преподавателя.');
  const finished = { ...view(1), state: 'finished' } as AttemptView;
  expect(latenessWords(finished, AT - 1, 'Europe/Moscow')).toBe(
    'Эти ответы сохранены здесь и дойдут после завершения: преподаватель увидит их и решит.',
  );
});
