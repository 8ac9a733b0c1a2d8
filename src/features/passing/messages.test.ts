import { expect, test } from 'vitest';
import type { AttemptView } from '#app/outbox/types.ts';
import { latenessMessage } from './dialog-messages.ts';
import { takenOverMessage } from './messages.ts';

const AT = Date.parse('2026-05-22T08:22:00Z');
const view = (waiting: number, held = 0) =>
  ({
    counts: { waiting, unsaved: 0 },
    countsUntil: AT,
    answers: Array.from({ length: held }, () => ({ stage: 'held' })),
  }) as unknown as AttemptView;
const message = (waiting: number, now: number) =>
  takenOverMessage(view(waiting), now, 'Europe/Moscow');

test('after a take-over the device lists its unsent answers and promises no more than is known', () => {
  expect(message(0, AT - 1)).toBe('Неотправленных ответов здесь нет.');
  expect(message(1, AT - 1)).toBe(
    '1 ответ ещё только на этом устройстве: он уйдёт сам, когда будет связь, и засчитается, если там на этот вопрос не ответили. Что дойдёт после завершения теста или позже 11:22, увидит преподаватель и решит.',
  );
  expect(message(3, AT - 1)).toContain('3 ответа ещё только на этом устройстве: они уйдут сами');
  expect(message(3, AT)).toContain('Срок приёма прошёл: решит преподаватель.');
});

test('after a take-over an answer that the server refused is not passed over', () => {
  const refused = { ...view(0), counts: { waiting: 0, setAside: 2 } } as AttemptView;
  expect(takenOverMessage(refused, AT - 1, 'Europe/Moscow')).toBe(
    'Сервер не принял 2 ответа: они остаются на этом устройстве, покажите преподавателю.',
  );
});

test('answers received after the finish are reported as waiting for the teacher, not as counted', () => {
  const heldMessage = (count: number) => takenOverMessage(view(0, count), AT - 1, 'Europe/Moscow');
  expect(heldMessage(1)).toBe(
    'Неотправленных ответов здесь нет. 1 ответ дошёл поздно и ждёт решения преподавателя.',
  );
  expect(heldMessage(3)).toContain('3 ответа дошли поздно и ждут решения преподавателя.');
  const finished = { ...view(1), state: 'finished' } as AttemptView;
  expect(latenessMessage(finished, AT - 1, 'Europe/Moscow')).toBe(
    'Эти ответы сохранены здесь и дойдут после завершения: преподаватель увидит их и решит.',
  );
});
