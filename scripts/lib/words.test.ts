import { expect, test } from 'vitest';
import {
  commentsIn,
  countDialect,
  proseIn,
  rateOf,
  sumOf,
  testNamesIn,
  vagueNamesIn,
} from './words.mjs';

test('words of the dialect are counted, terms of the protocol are not', () => {
  expect(countDialect('The queue is told whose answer is kept.')).toEqual({ words: 8, dialect: 3 });
  expect(countDialect('A take-over keeps the HTTP keep-alive.')).toMatchObject({ dialect: 1 });
});

test('of a source its comments are counted, of a document its prose', () => {
  const source =
    "/** Is told. */\nconst told = 'told'; // kept\nconst url = 'https://told.example';";
  expect(countDialect(commentsIn(source))).toMatchObject({ dialect: 2 });
  expect(commentsIn("accept('image/*'); const kept = 1; /* A comment. */")).toBe(
    '/* A comment. */',
  );
  const text = 'It is told.\n```sh\ntold kept\n```\nSee `told` and [here](told.md).';
  expect(countDialect(proseIn(text))).toMatchObject({ dialect: 1 });
});

test('names of tests and of their groups are found, plain and with parameters', () => {
  const source = `describe("a 'row'", () => {
    test('is told', () => expect(read('kept')).toBe(1));
    test.each([[1], [2]])('whose %s', run);
    test.each([
      [1],
    ])(
      'is heard', run);
  });`;
  expect(testNamesIn(source).split('\n')).toEqual(["a 'row'", 'is told', 'whose %s', 'is heard']);
});

test('rates are per 1,000 words, to a tenth', () => {
  expect(
    rateOf(
      sumOf([
        { words: 1_000, dialect: 2 },
        { words: 2_000, dialect: 5 },
      ]),
    ),
  ).toBe(2.3);
  expect(rateOf({ words: 0, dialect: 0 })).toBe(0);
});

test('vague names are found in code alone, those of the wire are not', () => {
  const source =
    "// asked\nconst isToldTwice = 'kept'; const PAGE_MOST = `told`; let gateway = taken;";
  expect(vagueNamesIn(source)).toEqual(['isToldTwice', 'PAGE_MOST']);
  expect(vagueNamesIn("throw new Refusal('EMAIL_TAKEN', { lastHeardAt })")).toEqual([]);
});
