import { expect, test } from 'vitest';
import type { AttemptView, QuestionView } from '#app/outbox/types.ts';
import { describeUnsent, formatProgress, latenessMessage } from './dialog-messages.ts';
import type { FilePick } from '#app/questions/file/file-picks.ts';
import {
  deliveredMessage,
  hasUnsent,
  missedMessage,
  readingMessage,
  takeoverMessage,
  timeOverMessage,
} from './messages.ts';

const AT = Date.parse('2026-05-22T08:22:00Z');
const view = (waiting: number, held = 0) =>
  ({
    counts: { waiting, setAside: 0, unsaved: 0 },
    countsUntil: AT,
    answers: Array.from({ length: held }, () => ({ stage: 'held' })),
  }) as unknown as AttemptView;
const message = (waiting: number, now: number) =>
  takeoverMessage(view(waiting), now, 'Europe/Moscow');

test('after a take-over the device counts its unsent answers and claims only what is known', () => {
  expect(message(0, AT - 1)).toBe('Неотправленных ответов здесь нет.');
  expect(message(1, AT - 1)).toBe(
    '1 ответ ещё только на этом устройстве: он уйдёт сам, когда будет связь, и засчитается, если там на этот вопрос не ответили. Что дойдёт после завершения теста или позже 11:22, увидит преподаватель и решит.',
  );
  expect(message(3, AT - 1)).toContain('3 ответа ещё только на этом устройстве: они уйдут сами');
  expect(message(3, AT)).toContain('Срок приёма прошёл: решит преподаватель.');
});

test('after a take-over a refused answer is mentioned', () => {
  const refused = { ...view(0), counts: { waiting: 0, setAside: 2 } } as AttemptView;
  expect(takeoverMessage(refused, AT - 1, 'Europe/Moscow')).toBe(
    'Сервер не принял 2 ответа: они остаются на этом устройстве, покажите преподавателю.',
  );
});

test('answers received after the finish are reported as waiting for the teacher, not as counted', () => {
  const heldMessage = (count: number) => takeoverMessage(view(0, count), AT - 1, 'Europe/Moscow');
  expect(heldMessage(1)).toBe(
    'Неотправленных ответов здесь нет. 1 ответ дошёл поздно и ждёт решения преподавателя.',
  );
  expect(heldMessage(3)).toContain('3 ответа дошли поздно и ждут решения преподавателя.');
  const finished = { ...view(1), state: 'finished' } as AttemptView;
  expect(latenessMessage(finished, AT - 1, 'Europe/Moscow')).toBe(
    'Эти ответы сохранены здесь и дойдут после завершения: преподаватель увидит их и решит.',
  );
});

test('after a take-over waiting answers are named before refused ones', () => {
  const both = { ...view(1), counts: { waiting: 1, setAside: 1 } } as AttemptView;
  expect(takeoverMessage(both, AT - 1, 'Europe/Moscow')).toContain(
    '1 ответ ещё только на этом устройстве',
  );
});

test('asks only students with unsent answers not to close the app at the deadline', () => {
  const rest = (waiting: number) =>
    timeOverMessage({ ...view(waiting), deadline: AT }, 'Europe/Moscow').rest;
  expect(rest(0)).toBe('Ответы закрыты для правки.');
  expect(rest(1)).toContain('1 ответ ещё на этом устройстве: не закрывайте приложение');
});

test('of several answers only those that came late are reported as waiting for the teacher', () => {
  const answers = [{ stage: 'server' }, { stage: 'held' }];
  const mixed = { ...view(0), answers } as unknown as AttemptView;
  expect(takeoverMessage(mixed, AT - 1, 'Europe/Moscow')).toContain('1 ответ дошёл поздно');
});

test.each(['waiting', 'setAside', 'unsaved'] as const)(
  'an answer that the server has not (%s) is unsent',
  (kind) => {
    const counts = { waiting: 0, setAside: 0, unsaved: 0 };
    expect(hasUnsent({ counts } as AttemptView)).toBe(false);
    expect(hasUnsent({ counts: { ...counts, [kind]: 1 } } as AttemptView)).toBe(true);
  },
);

const delivered = (answers: object[], finishedAt: number | null = AT, setAside = 0) =>
  deliveredMessage(
    {
      counts: { answered: answers.length, setAside },
      answers,
      finishedAt,
    } as unknown as AttemptView,
    'Europe/Moscow',
  ).replaceAll('\u00A0', ' ');

test('after the finish, shows when the last answer and the finish reached the server', () => {
  const at = (minutes: number) => ({ stage: 'server', at: AT - minutes * 60_000 });
  expect(delivered([at(2), at(5), { stage: 'held', at: AT }])).toBe(
    'Завершение дошло до сервера в 11:22. Все 3 ответа на сервере, последний дошёл в 11:20.',
  );
  expect(delivered([at(2)], null)).toBe(
    'Тест завершён. На сервере 1 ответ, последний дошёл в 11:20.',
  );
  expect(delivered([{ stage: 'server', at: null }])).toBe(
    'Завершение дошло до сервера в 11:22. На сервере 1 ответ.',
  );
  expect(delivered([])).toBe('Завершение дошло до сервера в 11:22. Ответов нет.');
  const held = { stage: 'held' };
  expect(delivered([at(2), held, held, { stage: 'setAside' }], AT, 1)).toContain(
    'На сервере 3 ответа, последний дошёл в 11:20. Сервер не принял 1 ответ',
  );
});

const pick = (name: string, step: FilePick['step'], questionId = 'q2'): FilePick => ({
  pickId: 1,
  questionId,
  name,
  size: 1,
  step,
  problem: null,
});

test('each picked file is named with its question, where it is still read or not handed in', () => {
  const answers = [{ questionId: 'q1' }, { questionId: 'q2' }];
  const page = { answers } as unknown as AttemptView;
  const picks = [pick('а', 'reading'), pick('б', 'storing', 'q1'), pick('в', 'failed')];
  expect(readingMessage(picks, page)).toBe('Ещё читаются файлы «а» (вопрос 2), «б» (вопрос 1).');
  expect(missedMessage(picks, page)).toBe('Не сдан файл «в» (вопрос 2).');
  expect(readingMessage(picks.slice(2), page)).toBe('');
  expect(missedMessage(picks.slice(0, 2), page)).toBe('');
});

test('the progress names marked questions only where there are any', () => {
  const counts = (marked: number) => ({ counts: { answered: 2, total: 3, marked } }) as AttemptView;
  expect(formatProgress(counts(0))).toBe('Есть ответ: 2 из 3');
  expect(formatProgress(counts(1))).toBe('Есть ответ: 2 из 3. Отмечен: 1');
  expect(formatProgress(counts(2))).toBe('Есть ответ: 2 из 3. Отмечено: 2');
});

test('an unsent answer is named by what would be lost: words or files with their size', () => {
  const unsent = (...sizes: number[]) => {
    const [first, ...more] = sizes.map((size, index) => ({
      fileId: `f${index}`,
      name: 'а',
      size,
      mimeType: 'image/png',
      sha256: '',
    }));
    const answer = first && { questionId: 'q', kind: 'file', ...first, more };
    return describeUnsent(5, { answer: answer ?? null } as QuestionView).replaceAll('\u00A0', ' ');
  };
  expect(unsent()).toBe('Вопрос 5 · ответ');
  expect(unsent(2048)).toBe('Вопрос 5 · файл, 2 КБ');
  expect(unsent(2048, 1024)).toBe('Вопрос 5 · 2 файла, 3 КБ');
});
