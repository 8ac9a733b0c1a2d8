import { expect, test } from 'vitest';
import type { Receipt } from '#contract/passing.ts';
import { bodyDigest, openSeal, sealReceipt, type SealClaims } from './seal.ts';

const key = Buffer.alloc(32, 7);
const claims: SealClaims = {
  attemptId: 'a',
  testId: 't',
  userId: 'u',
  contentId: 'c',
  number: 1,
  startedAt: 1_772_431_200_000,
  deadline: 1_772_433_600_000,
  windowSeconds: 900,
};
const receipt: Omit<Receipt, 'seal'> = {
  operationId: '01a1fd73-d55f-7148-a603-2168fb96d4b3',
  stream: '01a1fd73-d3a2-7586-9285-7a37b6a6fea9',
  epoch: 1,
  sequence: 6,
  outcome: 'stored',
  receivedLate: false,
  writtenAt: null,
  receivedAt: '2026-03-02T06:00:00.000Z',
};
const digest = bodyDigest({ kind: 'open', text: '4,9' });
const seal = sealReceipt(key, receipt, digest, claims);

test('a digest is that of the value, whatever the order of its keys', () => {
  expect(bodyDigest({ text: '4,9', kind: 'open' })).toEqual(digest);
  expect(digest.toString('hex')).toBe(
    '0b44915524dcfbddb1806783f588867c92ab939c6ce50cc49edcf8374b6ca2a9',
  );
});

test('members that are not there do not count, and every order of keys is the same', () => {
  expect(bodyDigest({ kind: 'open', text: '4,9', note: undefined })).toEqual(digest);
  const body = { c: 1, a: [{ z: 1, b: 2 }], b: null };
  expect(bodyDigest({ b: null, a: [{ b: 2, z: 1 }], c: 1 })).toEqual(bodyDigest(body));
  expect(bodyDigest({ ...body, a: [{ z: 2, b: 1 }] })).not.toEqual(bodyDigest(body));
});

test('a seal opens for its receipt and body, and stays readable for later versions', () => {
  expect(openSeal(key, { ...receipt, seal }, digest)).toEqual(claims);
  expect(seal.split('.').at(-1)).toBe('rI9oX80eHBTMFD0IxgdrFM5CgKNnltkw4M-6IWz7LHQ');
});

test.each<[string, Partial<Receipt>]>([
  ['operation', { operationId: '01a1fd73-d55f-7148-a603-2168fb96d4b4' }],
  ['stream', { stream: '01a1fd73-d55f-7148-a603-2168fb96d4b4' }],
  ['epoch', { epoch: 2 }],
  ['sequence', { sequence: 7 }],
  ['outcome', { outcome: 'held' }],
  ['lateness', { receivedLate: true }],
  ['time of writing', { writtenAt: receipt.receivedAt }],
  ['time of receipt', { receivedAt: '2026-03-02T06:00:00.001Z' }],
])('a receipt with another %s is not genuine', (_, changed) => {
  expect(openSeal(key, { ...receipt, ...changed, seal }, digest)).toBeNull();
});

test("nor is one for another body, of another server, or with claims of one's own", () => {
  expect(openSeal(key, { ...receipt, seal }, bodyDigest({ kind: 'open', text: '5' }))).toBeNull();
  expect(openSeal(Buffer.alloc(32, 8), { ...receipt, seal }, digest)).toBeNull();
  const forged = Buffer.from(JSON.stringify({ ...claims, userId: 'x' })).toString('base64url');
  const [version, , signature] = seal.split('.');
  expect(
    openSeal(key, { ...receipt, seal: `${version}.${forged}.${signature}` }, digest),
  ).toBeNull();
});

test('a seal of another version, or cut short, is not genuine', () => {
  const [, packed = '', signature = ''] = seal.split('.');
  for (const other of [
    `v2.${packed}.${signature}`,
    `v1.${packed}.${signature.slice(0, 20)}`,
    `v1.${packed}`,
    'v1',
    '',
  ])
    expect(openSeal(key, { ...receipt, seal: other }, digest)).toBeNull();
});
