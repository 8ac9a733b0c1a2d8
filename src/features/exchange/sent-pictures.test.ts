import { expect, test } from 'vitest';
import { openSentPictures } from './sent-pictures.ts';

const DAY_MS = 86_400_000;
const KEY = '11111111-1111-4111-8111-111111111111';

/** The storage of a tab. */
function tab() {
  const values = new Map<string, string>();
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
}

test('pictures on the server are known again after a reload, to their owner alone', () => {
  const storage = tab();
  const open = (owner: string, now = 0) => openSentPictures(owner, now, () => storage);
  open('teacher').add('digest', KEY);
  expect(open('teacher').keyOf('digest')).toBe(KEY);
  expect(open('teacher').keyOf('another')).toBeNull();
  expect(open('colleague').keyOf('digest')).toBeNull();
});

test('a key is reused only while the server retains an unused picture', () => {
  const storage = tab();
  const open = (now: number) => openSentPictures('teacher', now, () => storage);
  open(0).add('first', KEY);
  // A later picture does not make the first one younger.
  open(DAY_MS - 1).add('second', KEY);
  expect(open(DAY_MS - 1).keyOf('first')).toBe(KEY);
  expect(open(DAY_MS).keyOf('first')).toBeNull();
});

test('a tab without storage remembers until it is closed', () => {
  const sent = openSentPictures('teacher', 0, () => {
    throw new Error('forbidden');
  });
  sent.add('digest', KEY);
  expect(sent.keyOf('digest')).toBe(KEY);
});
