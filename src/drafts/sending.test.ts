import { expect, test } from 'vitest';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import { isUnreachable, outcomeOf, pauseMs, refusalMessage } from './sending.ts';

const failure = (parts: Partial<FailureParts>) =>
  new ApiFailure({ kind: 'refused', method: 'PUT', url: '/', ...parts });

test.each([
  [{ status: 409, code: 'STALE_VERSION' }, 'stale'],
  [{ status: 422, code: 'UNKNOWN_QUESTION' }, 'stale'],
  [{ status: 401 }, 'signedOut'],
  [{ status: 403 }, 'gone'],
  [{ status: 404 }, 'gone'],
  [{ status: 410 }, 'gone'],
  [{ status: 429 }, 'busy'],
  [{ status: 503 }, 'busy'],
  [{ status: 500 }, 'unknown'],
  [{ status: 502 }, 'unknown'],
  [{ status: 499 }, 'refused'],
  [{ status: 400, code: 'VALIDATION' }, 'refused'],
  [{}, 'refused'],
  [{ kind: 'unreachable', status: 404 }, 'unknown'],
  [{ kind: 'notOurs', status: 403 }, 'unknown'],
] as const)('a failure %j means «%s» for the working copy', (parts, outcome) => {
  expect(outcomeOf(failure(parts))).toBe(outcome);
});

test('an error that is no failed call may have been stored', () => {
  expect(outcomeOf(new Error('broken'))).toBe('unknown');
});

test('only a call without a reply counts as offline', () => {
  expect(isUnreachable(failure({ kind: 'unreachable' }))).toBe(true);
  expect(isUnreachable(failure({ status: 503 }))).toBe(false);
  expect(isUnreachable(new Error('broken'))).toBe(false);
});

test('the first field’s message is shown, else that of the failure', () => {
  const fields = [
    { field: 'questions', message: 'Не больше 300 вопросов' },
    { field: 'order', message: 'Дважды' },
  ];
  expect(refusalMessage(failure({ message: 'Проверьте поля', details: { fields } }))).toBe(
    'Не больше 300 вопросов',
  );
  expect(refusalMessage(failure({ message: 'Нельзя', details: { fields: [] } }))).toBe('Нельзя');
  expect(refusalMessage(failure({ message: 'Нельзя' }))).toBe('Нельзя');
  expect(refusalMessage(new Error('broken'))).toBe('');
});

test.each([
  [0, 0, 500],
  [0, 1, 1_000],
  [1, 0, 1_000],
  [1, 1, 2_000],
  [3, 0.5, 6_000],
  [4, 1, 16_000],
  [5, 1, 30_000],
  [1_000, 0, 15_000],
  [1_000, 1, 30_000],
])('after %i failures with chance %f the next try is after %i ms', (failures, chance, ms) => {
  expect(pauseMs(failures, chance, failure({ status: 503 }))).toBe(ms);
});

test('a retry waits for what the server asks, and half a minute for a sign-in', () => {
  expect(pauseMs(0, 0, failure({ status: 429, retryAfterMs: 7_000 }))).toBe(7_000);
  expect(pauseMs(0, 1, failure({ status: 429, retryAfterMs: 10 }))).toBe(1_000);
  expect(pauseMs(0, 0, failure({ status: 401 }))).toBe(30_000);
  expect(pauseMs(0, 0, new Error('broken'))).toBe(500);
});
