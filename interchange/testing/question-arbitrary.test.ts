import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Question } from '#contract/questions.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { publishable, unfinished } from './question-arbitrary.ts';

test('random questions are valid, and could be published', () => {
  fc.assert(
    fc.property(publishable, (question) => {
      expect(v.parse(Question, question)).toEqual(question);
      expect(publishingProblems([question])).toEqual([]);
    }),
  );
});

test('unfinished ones are valid too', () => {
  fc.assert(
    fc.property(unfinished, (question) => {
      expect(v.safeParse(Question, question).success).toBe(true);
    }),
  );
});
