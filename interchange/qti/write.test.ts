import { strFromU8 } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { readArchive } from '#interchange/archive.ts';
import { UnreadableFile, type Writer } from '#interchange/model.ts';
import { outAndBack, expectSameOrReported, tools } from '#interchange/testing/looks.ts';
import {
  exportedTest,
  PICTURES,
  publishable,
  unfinished,
} from '#interchange/testing/question-arbitrary.ts';
import { everyElement, parseXml } from '#interchange/xml.ts';
import { HOSTILE_TEXTS } from '#tests/hostile-texts.ts';
import { readQti } from './read.ts';
import { writeQti2, writeQti3 } from './write.ts';

const WRITERS: readonly [string, Writer][] = [
  ['2.1', writeQti2],
  ['3.0', writeQti3],
];

test.each(WRITERS)('a package of QTI %s has what the standard requires', async (version, write) => {
  const [given] = fc.sample(exportedTest(publishable), 1);
  if (!given) throw new Error('No sample');
  const { bytes } = await write(given);
  const { files } = readArchive(bytes);
  const open = (path: string) => parseXml(strFromU8(files.get(path)?.() ?? new Uint8Array()));
  const hrefs = [...everyElement(open('imsmanifest.xml'))]
    .filter(({ name }) => name === 'file')
    .map(({ attributes }) => attributes.get('href') ?? '');
  expect(new Set([...hrefs, 'imsmanifest.xml'])).toEqual(new Set(files.keys()));
  const is3 = version === '3.0';
  expect(open('test.xml').name).toBe(is3 ? 'qti-assessment-test' : 'assessmentTest');
  const root = open('items/item-1.xml');
  expect(root.name).toBe(is3 ? 'qti-assessment-item' : 'assessmentItem');
  const names = [...everyElement(root)].map(({ name }) => name);
  expect(names.filter((name) => /Interaction$|-interaction$/.test(name))).toHaveLength(1);
  if (is3) expect(names.filter((name) => /[A-Z]/.test(name))).toEqual([]);
});

test('every element of QTI 3.0 has its name of version 3, whatever the kind of the question', async () => {
  const questions = fc.sample(publishable, 200);
  const { bytes } = await writeQti3({ title: 'Все виды', questions, pictures: PICTURES });
  const { files } = readArchive(bytes);
  const names = new Set(
    [...files]
      .filter(([path]) => path.startsWith('items/'))
      .flatMap(([, open]) =>
        [...everyElement(parseXml(strFromU8(open())))].map(({ name }) => name),
      ),
  );
  for (const name of ['qti-hotspot-interaction', 'qti-order-interaction', 'qti-inline-choice'])
    expect(names).toContain(name);
  expect([...names].filter((name) => /[A-Z]/.test(name))).toEqual([]);
});

test.each(WRITERS)(
  'random tests come back the same from QTI %s, or the writer reported the loss',
  async (_, write) => {
    await expectSameOrReported(write, readQti, publishable, 15);
    // A loss of orders and shared texts is always reported.
    const others = publishable
      .filter(({ kind }) => kind !== 'ordering')
      .map((question): Question => {
        const bare = { ...question };
        delete bare.passage;
        return bare;
      });
    expect(await expectSameOrReported(write, readQti, others, 30)).toBeGreaterThan(0.8);
  },
  120_000,
);

test.each(WRITERS)(
  'unfinished questions pass through QTI %s without an error',
  async (_, write) => {
    await fc.assert(
      fc.asyncProperty(exportedTest(unfinished), async (given) => {
        const { imported } = await outAndBack(write, readQti, given);
        expect(imported.items.length + imported.refused.length).toBe(given.questions.length);
      }),
      { numRuns: 30 },
    );
  },
  60_000,
);

test.each(WRITERS)(
  'hostile texts in every field of QTI %s stay text',
  async (_, write) => {
    const questions = HOSTILE_TEXTS.map((text): Question => ({
      questionId: tools.newId(),
      kind: 'variant',
      text,
      explanation: text,
      title: text.replaceAll(/\s+/g, ' ').slice(0, 200),
      points: 1,
      multiple: false,
      shuffle: false,
      scoring: 'partial',
      options: [{ optionId: tools.newId(), text, isRight: true, feedback: text }],
    }));
    const { exported, imported } = await outAndBack(write, readQti, {
      title: '"><script>',
      questions,
      pictures: PICTURES,
    });
    for (const [path, open] of readArchive(exported.bytes).files) {
      if (!path.endsWith('.xml')) continue;
      const names = [...everyElement(parseXml(strFromU8(open())))].map(({ name }) => name);
      for (const name of ['script', 'iframe', 'svg', 'form', 'style'])
        expect(names).not.toContain(name);
    }
    expect(imported.items).toHaveLength(questions.length);
  },
  60_000,
);

test('an invalid formula stays text, and is reported', async () => {
  const { exported, imported } = await outAndBack(writeQti2, readQti, {
    title: 'x',
    questions: [
      {
        questionId: tools.newId(),
        kind: 'file',
        text: 'a $\\frac{1$ b',
        points: 1,
        maxBytes: 5,
        accept: [],
      },
    ],
    pictures: PICTURES,
  });
  expect(exported.losses.join()).toMatch(/формула с ошибкой/);
  expect(imported.items[0]?.question.text).toBe('a $\\frac{1$ b');
});

test('any damage of a package gives a message or refused items', async () => {
  const [given] = fc.sample(exportedTest(publishable), 1);
  if (!given) throw new Error('No sample');
  const { bytes } = await writeQti3(given);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
      const copy = bytes.slice();
      copy[at] = value;
      await readQti({ name: 'a.zip', bytes: copy }, tools).catch((error: unknown) => {
        expect(error).toBeInstanceOf(UnreadableFile);
      });
    }),
    { numRuns: 100 },
  );
}, 60_000);
