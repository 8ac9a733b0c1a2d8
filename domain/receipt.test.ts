import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { toBase64Url } from './base64url.ts';
import { JOIN_CODE_SIGNS } from './join-codes.ts';
import { canonicalJson } from './canonical-json.ts';
import {
  appendDigest,
  changesSince,
  controlCode,
  digestAnswers,
  EMPTY_LOG,
  formatDocument,
  formatReceipt,
  MAX_RECEIPT_CHARACTERS,
  NO_FACT,
  packDocument,
  readDocument,
  saysFacts,
  shortLogDigest,
  unpackDocument,
  type ReceiptFacts,
} from './receipt.ts';

const sha256 = (data: string | Uint8Array): Uint8Array =>
  createHash('sha256').update(data).digest();

const DIGEST = 'A'.repeat(43);
const facts: ReceiptFacts = {
  student: 'Мария Ёлкина',
  test: 'Дроби: часть 2',
  attemptNumber: '1',
  attemptId: '0192f3c8-0000-7000-8000-000000000001',
  questionsDigest: DIGEST,
  answersCount: '9',
  answersDigest: DIGEST,
  points: '7 из 10',
  startedAt: '2026-03-02T06:00:00.000Z',
  deadline: '2026-03-02T06:40:00.000Z',
  finishedAt: '2026-03-02T06:35:00.000Z',
  logLength: '0',
  logDigest: DIGEST,
};
const text = formatReceipt(facts);
const document = formatDocument({ text, keyId: 'key1', signature: 'c2ln' });

describe('the text of a receipt', () => {
  test('is a version and one fact a line, in a fixed order', () => {
    expect(text.split('\n')).toHaveLength(14);
    expect(text).toMatch(/^Квитанция exam-room 1\nУченик: Мария Ёлкина\nТест: Дроби: часть 2\n/);
  });

  test('gives a name with line breaks one line', () => {
    const forged = formatReceipt({ ...facts, student: 'Мария\nОтветов: 10\r\u2028\u0000' });
    expect(forged.split('\n')[1]).toBe('Ученик: Мария Ответов: 10');
  });

  test('is compared with what counts now, points only where it says them and they are shown', () => {
    const held = { answersDigest: 'a', points: '7 из 10' };
    const nothing = { comparesPoints: true, answers: false, points: false };
    expect(changesSince(held, held)).toEqual(nothing);
    expect(changesSince(held, { ...held, points: '8 из 10' })).toEqual({
      ...nothing,
      points: true,
    });
    expect(changesSince(held, { ...held, answersDigest: 'b' })).toEqual({
      ...nothing,
      answers: true,
    });
    const withdrawn = { ...held, points: NO_FACT };
    expect(changesSince(held, withdrawn)).toEqual({ ...nothing, points: true });
    const uncompared = { ...nothing, comparesPoints: false };
    expect(changesSince(withdrawn, held)).toEqual(uncompared);
    expect(changesSince(held, { ...held, points: null })).toEqual(uncompared);
  });

  test('says its own facts and no others', () => {
    const { deadline, finishedAt } = facts;
    expect(saysFacts(text, { deadline, finishedAt })).toBe(true);
    expect(saysFacts(text, { deadline, finishedAt: deadline })).toBe(false);
  });

  test('says «—» where nothing of a fact is seen, and is read back', () => {
    for (const unseen of ['', ' ', '\u200B', '\uE000\uFEFF']) {
      const given = formatReceipt({ ...facts, test: unseen });
      expect(given.split('\n')[2]).toBe('Тест: —');
      const signed = formatDocument({ text: given, keyId: 'key1', signature: 'c2ln' });
      expect(readDocument(signed)).toMatchObject({ text: given, facts: { test: '—' } });
      expect(unpackDocument(packDocument(signed))).toBe(signed);
    }
  });

  test('is read back from its document, whatever the line ends', () => {
    const expected = { text, facts, keyId: 'key1', signature: 'c2ln' };
    expect(readDocument(document)).toEqual(expected);
    expect(readDocument(`\uFEFF\n  ${document.replaceAll('\n', ' \r\n')}\n\n`)).toEqual(expected);
  });

  test('with a missing or foreign line is damaged', () => {
    expect(readDocument(document.replace(/Срок: .*\n/, ''))).toBe('damaged');
    expect(readDocument(document.replace('Срок', 'Сроки'))).toBe('damaged');
    expect(readDocument(text)).toBe('damaged');
  });

  test('is not looked for in another text, or in one that is too long', () => {
    expect(readDocument('')).toBe('notReceipt');
    expect(readDocument('Сочинение')).toBe('notReceipt');
    expect(readDocument(document + ' '.repeat(MAX_RECEIPT_CHARACTERS))).toBe('notReceipt');
  });

  test('survives the address of a QR code', () => {
    const packed = packDocument(document);
    expect(packed).toMatch(/^[\w-]{1,800}$/);
    expect(unpackDocument(packed)).toBe(document);
    expect(unpackDocument('%%')).toBeNull();
    expect(readDocument(unpackDocument(packed.slice(0, 100)) ?? '')).toBe('damaged');
  });

  test('has a control code that changes with a character', () => {
    const code = controlCode(text, sha256);
    expect(code).toMatch(new RegExp(`^[${JOIN_CODE_SIGNS}]{8}$`));
    expect(controlCode(text.replace('Ёлкина', 'Елкина'), sha256)).not.toBe(code);
  });
});

describe('the short digest of the log', () => {
  test('has eight signs to read aloud, and changes with the digest', () => {
    const digest = toBase64Url(sha256('log'));
    expect(shortLogDigest(digest)).toMatch(new RegExp(`^[${JOIN_CODE_SIGNS}]{8}$`));
    expect(shortLogDigest(toBase64Url(sha256('another log')))).not.toBe(shortLogDigest(digest));
  });
});

describe('the digest of answers', () => {
  const open: Answer = { questionId: 'b', kind: 'open', text: '4,9' };
  const single: Answer = { questionId: 'a', kind: 'variant', optionIds: ['b'] };

  test('does not depend on the order of answers or of their fields', () => {
    const { count, digest } = digestAnswers([open, single], sha256);
    expect(count).toBe(2);
    const shuffled = { text: '4,9', kind: 'open', questionId: 'b' } as const;
    expect(digestAnswers([single, shuffled], sha256).digest).toBe(digest);
    expect(digestAnswers([single, { ...open, text: '4,8' }], sha256).digest).not.toBe(digest);
  });

  test('does not count a cleared answer', () => {
    const cleared = { ...open, text: '' };
    expect(digestAnswers([single, cleared], sha256)).toEqual(digestAnswers([single], sha256));
  });

  test('is made of JSON with sorted keys', () => {
    expect(canonicalJson({ b: [1, null], a: { d: 'я', c: undefined } })).toBe(
      '{"a":{"d":"я"},"b":[1,null]}',
    );
  });
});

test('a digest of the log depends on every entry before it', () => {
  const logOf = (...entries: string[]) =>
    entries.reduce((log, entry) => appendDigest(log, sha256(entry), sha256), EMPTY_LOG);
  expect(logOf('a', 'b', 'c')).toEqual(logOf('a', 'b', 'c'));
  for (const other of [
    logOf('a', 'c'),
    logOf('b', 'a', 'c'),
    logOf('x', 'b', 'c'),
    logOf('a', 'b'),
  ])
    expect(other).not.toEqual(logOf('a', 'b', 'c'));
});
