import { expect, test } from 'vitest';
import { PICTURES } from '#interchange/testing/question-arbitrary.ts';
import {
  expectRoundTrip,
  expectUnfinishedSafe,
  newId,
  outAndBack,
} from '#interchange/testing/round-trip.ts';
import { readGift } from './read.ts';
import { writeGift } from './write.ts';

test('random tests come back equal from GIFT, or the loss is reported', async () => {
  await expectRoundTrip(writeGift, readGift);
}, 120_000);

test('unfinished questions do no harm', async () => {
  await expectUnfinishedSafe(writeGift, readGift);
}, 120_000);

test('formulas, tags and code are as Moodle shows them, and come back as they were', async () => {
  const text = 'Найдите $a_1 * \\frac{b}{c}$, если `<b>` и <i> → «а» & `$x`';
  const question = {
    questionId: newId(),
    kind: 'open' as const,
    text,
    points: 2.5,
    input: 'text' as const,
    accepted: [],
    tolerance: 0,
  };
  const test = { title: 'Т', questions: [question], pictures: PICTURES };
  const file = new TextDecoder().decode((await writeGift(test)).bytes);
  expect(file).toBe(
    String.raw`// [points:2.5]
[markdown]Найдите \\\\(a\\_1 \\* \\\\frac\\\{b\\\}\\\{c\\\}\\\\), если ${'`'}<b>${'`'} и &lt;i> → «а» & ${'`'}$x${'`'}{}
`,
  );
  expect((await outAndBack(test, writeGift, readGift)).imported.items[0]?.question.text).toBe(text);
});
