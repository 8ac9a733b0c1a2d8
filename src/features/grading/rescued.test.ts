import { describe, expect, test } from 'vitest';
import { TEST_BODY_BYTES } from '#contract/limits.ts';
import { RESCUED_AT_ONCE, type RescuedAnswer } from '#contract/rescue.ts';
import { portions, readRescued, RescueProblem } from './rescued.ts';

const id = (last: number) => `00000000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const TEST = id(1);

const answer = (last: number): RescuedAnswer => ({
  operationId: id(last),
  stream: id(2),
  epoch: 1,
  sequence: last,
  answer: { questionId: id(3), kind: 'open', text: 'ответ' },
  writtenAt: null,
  seenServerTime: null,
});

const file = (attempts: unknown[]) =>
  JSON.stringify({ format: 'exam-room-answers', version: 1, owner: id(9), attempts, broken: [] });
const attempt = (testId: string, operations: unknown[], files: unknown[] = []) => ({
  attemptId: id(4),
  testId,
  title: 'Тест',
  operations,
  files,
});

describe('a file of answers', () => {
  test('yields the answers of this test, counts those of others, and ignores a finish', () => {
    const text = file([
      attempt(TEST, [answer(1), answer(2), { kind: 'finish', operationId: id(7) }]),
      attempt(id(8), [answer(3)]),
    ]);
    const read = readRescued(text, TEST);
    expect(read).toMatchObject({ owner: id(9), count: 2, elsewhere: 1, lost: [] });
    expect(read.attempts).toHaveLength(1);
  });

  test('lists files with bytes lost on the device', () => {
    const lost = {
      fileId: id(5),
      questionId: id(3),
      name: 'решение.jpg',
      size: 10,
      mimeType: 'image/jpeg',
      sha256: 'a'.repeat(64),
      base64: null,
    };
    expect(readRescued(file([attempt(TEST, [answer(1)], [lost])]), TEST).lost).toEqual([
      'решение.jpg',
    ]);
  });

  test('answers and files that the server would refuse do not stop the others', () => {
    const long = { ...answer(2), answer: { ...answer(2).answer, text: 'я'.repeat(20_001) } };
    const photo = {
      fileId: id(5),
      questionId: id(3),
      name: 'решение.jpg',
      size: 10,
      mimeType: 'image/jpeg',
      sha256: 'a'.repeat(64),
      base64: 'AQL/',
    };
    const damaged = { ...photo, name: 'чертёж.png', sha256: '' };
    const text = file([
      attempt(TEST, [answer(1), long, { kind: 'later' }], [photo, damaged]),
      attempt(id(8), [long]),
    ]);
    const read = readRescued(text, TEST);
    expect(read).toMatchObject({ count: 1, elsewhere: 0, misfits: 2, lost: ['чертёж.png'] });
    expect(read.attempts[0]?.files.map(({ name }) => name)).toEqual(['решение.jpg']);
  });

  test('a file that a system saved with a byte order mark is read', () => {
    expect(readRescued(`\uFEFF${file([attempt(TEST, [answer(1)])])}`, TEST).count).toBe(1);
  });

  test.each([
    ['no JSON', 'ответы'],
    ['another format', '{"format":"other"}'],
    ['a later version', file([]).replace('"version":1', '"version":2')],
  ])('an invalid one is rejected with a message: %s', (_, text) => {
    expect(() => readRescued(text, TEST)).toThrow(RescueProblem);
  });

  test('is split so that no call is larger than the server reads', () => {
    const essay = (last: number): RescuedAnswer => ({
      ...answer(last),
      answer: { questionId: id(3), kind: 'open', text: 'я'.repeat(20_000) },
    });
    const essays = Array.from({ length: 250 }, (_, index) => essay(index + 1));
    const bodies = portions(essays).map((answers) =>
      new TextEncoder().encode(JSON.stringify({ owner: id(9), answers })),
    );
    expect(Math.max(...bodies.map(({ length }) => length))).toBeLessThan(TEST_BODY_BYTES);
    expect(portions(essays).flat()).toEqual(essays);
  });

  test('is split into batches of the call limit', () => {
    const many = Array.from({ length: RESCUED_AT_ONCE + 1 }, (_, index) => answer(index + 1));
    expect(portions(many).map((part) => part.length)).toEqual([RESCUED_AT_ONCE, 1]);
  });
});
