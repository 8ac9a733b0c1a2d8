import { expect, test } from 'vitest';
import { RECEIPT_FACTS, signReceipt } from '#tests/signed-receipt.ts';
import { verifyReceipt } from './verify.ts';

const { key, document } = signReceipt();
const kindOf = (text: string, keys = [key]) => verifyReceipt(text, keys).kind;

test('a receipt with the school’s signature is genuine, and says its facts and code', () => {
  const verdict = verifyReceipt(document, [signReceipt('other').key, key]);
  expect(verdict).toMatchObject({ kind: 'genuine', receipt: { facts: RECEIPT_FACTS } });
  expect(verdict.kind === 'genuine' && verdict.code).toMatch(/^[A-Z\d]{8}$/);
});

test('every single changed character of the text makes it another one', () => {
  const end = document.indexOf('\nКлюч: ');
  for (let at = document.indexOf(': ') + 2; at < end; at += 1) {
    if (/[\s:]/.test(document[at] ?? '')) continue;
    const changed = `${document.slice(0, at)}~${document.slice(at + 1)}`;
    expect(['changed', 'damaged'], `at ${at}`).toContain(kindOf(changed));
  }
});

test('a changed signature, a changed key and another school’s key are not accepted', () => {
  expect(kindOf(document.replace(/Подпись: .{4}/, 'Подпись: AAAA'))).toBe('changed');
  expect(kindOf(document.replace(/Подпись: .*/, 'Подпись: ?'))).toBe('changed');
  expect(kindOf(document, [{ ...signReceipt().key, id: key.id }])).toBe('changed');
  expect(kindOf(document, [{ ...key, publicKey: 'AAAA' }])).toBe('changed');
  expect(kindOf(document, [signReceipt('other').key])).toBe('unknownKey');
  expect(kindOf(document, [])).toBe('noKeys');
});

test('a retired key signs what ended before, and nothing that ended later', () => {
  const { finishedAt } = RECEIPT_FACTS;
  const retired = (ms: number) => new Date(Date.parse(finishedAt) + ms).toISOString();
  expect(kindOf(document, [{ ...key, retiredAt: retired(0) }])).toBe('genuine');
  expect(kindOf(document, [{ ...key, retiredAt: retired(-1) }])).toBe('retiredKey');
});

test('another text is no receipt, and a torn one is damaged', () => {
  expect(kindOf('Сочинение о лете')).toBe('notReceipt');
  expect(kindOf(document.slice(0, 200))).toBe('damaged');
});
