import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missingSequences } from './barrier.ts';
import { countingAnswers, type JournalledAnswer } from './order.ts';
import { countedPoints, testStatus } from './status.ts';
import { testClosedAt, visibleFrom } from './visibility.ts';

const answer = (over: Partial<JournalledAnswer>): JournalledAnswer => ({
  questionId: 'q',
  epoch: 1,
  rank: 1,
  ordinal: 1,
  outcome: 'stored',
  decision: null,
  receivedLate: false,
  ...over,
});

describe('what counts', () => {
  test('is the greatest (epoch, sequence) among those neither held nor refused', () => {
    const journal = [
      answer({ epoch: 1, rank: 9, ordinal: 3 }),
      answer({ epoch: 2, rank: 1, ordinal: 1 }),
      answer({ epoch: 2, rank: 5, ordinal: 4, outcome: 'held' }),
      answer({ epoch: 3, rank: 1, ordinal: 5, outcome: 'refused' }),
    ];
    expect(countingAnswers(journal, 'withLate').get('q')).toMatchObject({ epoch: 2, rank: 1 });
  });

  test('an accepted held one counts, a refused one does not', () => {
    const held = answer({ rank: 2, outcome: 'held' });
    const first = answer({});
    const winner = (decision: JournalledAnswer['decision']) =>
      countingAnswers([first, { ...held, decision }], 'withLate').get('q')?.rank;
    expect([winner(null), winner('refused'), winner('accepted')]).toEqual([1, 1, 2]);
  });

  test('without late ones the newest timely answer stands', () => {
    const journal = [answer({}), answer({ rank: 2, receivedLate: true })];
    expect(countingAnswers(journal, 'withoutLate').get('q')?.rank).toBe(1);
    expect(countingAnswers(journal, 'withLate').get('q')?.rank).toBe(2);
  });

  test('without late ones a held answer accepted by the teacher does not count either', () => {
    const accepted = answer({ rank: 2, outcome: 'held', decision: 'accepted' });
    expect(countingAnswers([answer({}), accepted], 'withoutLate').get('q')?.rank).toBe(1);
    expect(countingAnswers([answer({}), accepted], 'withLate').get('q')?.rank).toBe(2);
  });

  test('does not depend on the order in which the journal is read', () => {
    const entries = fc.array(
      fc.record({ epoch: fc.integer({ min: 1, max: 3 }), rank: fc.integer({ min: 0, max: 9 }) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(entries, (list) => {
        const journal = list.map((entry, ordinal) => answer({ ...entry, ordinal }));
        const forward = countingAnswers(journal, 'withLate').get('q');
        expect(countingAnswers(journal.toReversed(), 'withLate').get('q')).toEqual(forward);
      }),
    );
  });
});

test('the barrier names exactly the sequences that are unaccounted for', () => {
  expect(missingSequences(5, new Set([1, 3]), 10)).toEqual([2, 4]);
  expect(missingSequences(5, new Set([1, 2, 3, 4]), 10)).toEqual([]);
  expect(missingSequences(null, new Set(), 10)).toEqual([]);
  expect(missingSequences(1_000_000, new Set(), 3)).toEqual([1, 2, 3]);
});

describe('status', () => {
  const facts = {
    lifecycle: 'active' as const,
    startTime: 10,
    endTime: 100,
    attemptsLeft: 1,
    running: false,
    pendingReview: false,
    passed: false,
    unfinished: false,
  };
  test.each([
    ['inProgress', { running: true, pendingReview: true, passed: true }, 50],
    ['pendingReview', { pendingReview: true, passed: true }, 50],
    ['passed', { passed: true }, 50],
    ['scheduled', {}, 5],
    ['available', {}, 10],
    ['available', {}, 50],
    ['available', { startTime: null, endTime: null }, 500],
    ['overdue', {}, 100],
    ['available', { unfinished: true }, 50],
    ['overdue', { unfinished: true, attemptsLeft: 0 }, 50],
    ['passed', { unfinished: true, passed: true, attemptsLeft: 0 }, 50],
    ['closed', { attemptsLeft: 0 }, 50],
    ['closed', { lifecycle: 'archived' as const }, 50],
  ])('is %s with %j at %i', (status, over, now) => {
    expect(testStatus({ ...facts, ...over }, now)).toBe(status);
  });

  test('the teacher chooses which attempt makes the mark', () => {
    expect(countedPoints([5, 9, 7], 'best')).toBe(9);
    expect(countedPoints([5, 9, 4], 'last')).toBe(4);
    expect(countedPoints([5, 9, 8], 'average')).toBe(7.33);
    expect(countedPoints([], 'best')).toBeNull();
  });
});

test('«after the test closes» waits for all personal deadlines and windows', () => {
  const facts = { archived: false, testEnd: 1_000_000, latestClose: 2_400_000, windowMs: 900_000 };
  const closed = testClosedAt(facts);
  expect(closed).toBe(2_400_000);
  expect(testClosedAt({ ...facts, latestClose: null, windowMs: 0 })).toBe(1_060_000);
  expect(testClosedAt({ ...facts, testEnd: null })).toBeNull();
  expect(testClosedAt({ ...facts, testEnd: null, archived: true })).toBe(2_400_000);
  expect(visibleFrom('afterClose', 5, closed)).toBe(closed);
  expect(visibleFrom('atOnce', 5, closed)).toBe(5);
  expect(visibleFrom('never', 5, closed)).toBeNull();
});
