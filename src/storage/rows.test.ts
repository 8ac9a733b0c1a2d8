import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { attempt, file, operation } from '#app/outbox/test-rows.ts';
import { STORES, type StoredRows, type StoreName } from './rows.ts';

/** Which rows are valid and which are quarantined: all other device code relies on it. */

const bytes = new ArrayBuffer(1);
const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, ['encrypt']);
const ID = '0197f0a0-0000-7000-8000-000000000001';

const refusal = { status: 404, code: 'GONE', message: 'Удалено' };
const encrypted = {
  id: 'e1',
  owner: ID,
  kind: 'attempt' as const,
  fileIds: ['f1'],
  fileId: null,
  part: 0,
  waits: true,
  outlivedAt: null,
  iv: bytes,
  cipher: bytes,
};

const ROWS: { [S in StoreName]: StoredRows[S][] } = {
  session: [
    {
      key: 'current',
      token: 't',
      owner: ID,
      user: { userId: ID, userName: 'Анна', email: 'a@school.test', role: 0, isAdmin: false },
      expiresAt: '2026-06-01T00:00:00.000Z',
    },
  ],
  device: [
    {
      key: 'clock',
      kind: 'clock',
      era: 0,
      offset: null,
      offsetRtt: 1,
      offsetAt: 1,
      lastWall: 1,
      seenServerTime: null,
      leastServerTime: null,
    },
    {
      key: 'start:t1',
      kind: 'start',
      owner: ID,
      testId: 't1',
      idempotencyKey: 'i1',
      stream: 's1',
      takeOver: null,
    },
    { key: 'installation', kind: 'installation', id: 'd1' },
    { key: 'server', kind: 'server', epoch: 1 },
  ],
  attempts: (['running', 'finishing', 'finished'] as const).map((state) =>
    attempt({
      state,
      streams: [{ stream: 's1', epoch: 1, nextSequence: 1, notHere: [1], filesNotHere: ['f1'] }],
    }),
  ),
  contents: [{ attemptId: 'a1', questions: [], saved: null }],
  operations: [
    ...(['waiting', 'acknowledged', 'folded', 'setAside', 'dropped'] as const).map((state) =>
      operation({ state }),
    ),
    operation({ refusal }),
    operation({ kind: 'finish', finishReason: 'student' }),
    operation({ kind: 'finish', finishReason: 'deadline' }),
  ],
  files: [
    ...(['unchecked', 'uploading', 'complete', 'setAside'] as const).map((state) =>
      file({ state }),
    ),
    file({ refusal }),
  ],
  fileBytes: [{ fileId: 'f1', part: 0, bytes }],
  leases: [{ name: 'l1', holder: 'h1', expiresAt: 1 }],
  broken: [{ id: 'b1', store: 'leases', original: {}, issue: '' }],
  encrypted: [encrypted, { ...encrypted, kind: 'bytes' }, { ...encrypted, kind: 'broken' }],
  deviceKeys: [{ owner: ID, key, signIn: 's1' }],
};

/** A value of a type that no field has. */
const ALIEN = Symbol('alien');

/** The row with one field replaced by the alien value, for each field, nested ones included. */
function spoilt(row: object): object[] {
  return Object.entries(row).flatMap(([field, value]: [string, unknown]) => {
    const inner = Array.isArray(value) ? (value as unknown[])[0] : value;
    const isPlain = Object.getPrototypeOf(inner ?? 0) === Object.prototype;
    const parts = isPlain ? spoilt(inner as object) : [];
    return [ALIEN, ...parts.map((part) => (Array.isArray(value) ? [part] : part))].map((other) => ({
      ...row,
      [field]: other,
    }));
  });
}

describe.each(Object.keys(ROWS) as StoreName[])('a row of %s', (store) => {
  const { schema } = STORES[store];

  test('is valid in each of its kinds and states', () => {
    for (const row of ROWS[store]) expect(v.safeParse(schema, row).issues).toBeUndefined();
  });

  test('retains fields that a newer app has added', () => {
    for (const row of ROWS[store]) {
      const newer = { ...row, colour: 'blue' };
      expect(v.parse(schema, newer)).toEqual(newer);
    }
  });

  test('is quarantined when one field has another type', () => {
    for (const row of ROWS[store]) {
      for (const other of spoilt(row)) {
        // The original of a broken row may be anything.
        if (store === 'broken' && 'original' in other && other.original === ALIEN) continue;
        expect(v.is(schema, other), String(Object.entries(other).flat().map(String))).toBe(false);
      }
    }
  });
});
