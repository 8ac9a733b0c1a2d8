import { expect, test } from 'vitest';
import { ApiFailure, UNKNOWN_FAILURE } from '#app/api/failure.ts';
import { describeFailure } from './failure-messages.ts';

const call = { method: 'GET', url: '/api/Test' } as const;

test.each<[name: string, error: unknown, message: string]>([
  [
    'no reply',
    new ApiFailure({ ...call, kind: 'unreachable' }),
    'Сервер не отвечает. Проверьте сеть и повторите.',
  ],
  [
    'a refusal',
    new ApiFailure({ ...call, kind: 'refused', status: 409, message: 'Тест уже в архиве' }),
    'Тест уже в архиве',
  ],
  ['a failure with our words', new Error('Файл не читается'), 'Файл не читается'],
  ['a failure of the browser', new TypeError("can't access property"), UNKNOWN_FAILURE],
  ['what is no error', 'nothing', UNKNOWN_FAILURE],
])('of %s people read Russian words', (_, error, message) => {
  expect(describeFailure(error)).toBe(message);
});
