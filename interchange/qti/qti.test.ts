import { expect, test } from 'vitest';
import { sameOrTold } from '#interchange/testing/looks.ts';
import { publishable } from '#interchange/testing/question-arbitrary.ts';
import { readQti } from './read.ts';
import { writeQti2, writeQti3 } from './write.ts';

test.each([
  ['QTI 2.1', writeQti2],
  ['QTI 3.0', writeQti3],
])(
  'random tests come back the same from %s, or the writer said what is lost',
  async (_, write) => {
    const whole = await sameOrTold(write, readQti, publishable, 200);
    console.log(whole);
    expect(whole).toBeGreaterThan(0.5);
  },
  60_000,
);
