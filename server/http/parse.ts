import * as v from 'valibot';
import type { Schema } from '#contract/route.ts';
import { isStorable } from './read-json.ts';
import { type FieldWord, Refusal, invalid } from './refusal.ts';

const words = (issue: v.BaseIssue<unknown>): FieldWord => {
  const field = v.getDotPath(issue) ?? '';
  // Messages written for people are Russian; valibot's own are for programmers.
  const isForPeople = /[а-яё]/i.test(issue.message);
  if (isForPeople) return { field, message: issue.message };
  if (issue.expected === 'never') return { field, message: 'Лишнее поле' };
  if (issue.received === 'undefined') return { field, message: 'Поле не заполнено' };
  return { field, message: 'Неверное значение' };
};

/** What is wrong where, in words for people; each field once. */
export function fieldProblems(issues: readonly v.BaseIssue<unknown>[]): FieldWord[] {
  const fields = new Map<string, FieldWord>();
  for (const issue of issues) {
    const word = words(issue);
    if (!fields.has(word.field)) fields.set(word.field, word);
  }
  return [...fields.values()];
}

/** The first thing wrong with a field ends the look at it: nothing is matched that is too long already. */
const CONFIG = { abortPipeEarly: true } as const;

/**
 * The value as its schema gives it out.
 * @throws {Refusal} VALIDATION with `details.fields`, each field once
 */
export function parseInput(schema: Schema, value: unknown): unknown {
  const result = v.safeParse(schema, value, CONFIG);
  if (result.success) return result.output;
  throw invalid(fieldProblems(result.issues));
}

const allStorable = (values: Record<string, unknown>) =>
  Object.values(values).every((value) =>
    (Array.isArray(value) ? value : [value]).every(
      (text) => typeof text !== 'string' || isStorable(text),
    ),
  );

/** Query by its schema; unknown parameters are ignored. */
export function parseQuery(schema: Schema, query: unknown): unknown {
  const given = { ...(query as Record<string, unknown>) };
  if (!allStorable(given)) throw new Refusal('BAD_REQUEST');
  return parseInput(schema, given);
}

/** Path parameters by their schema; a wrong one is an address that does not exist. */
export function parseParams(schema: Schema, params: unknown): unknown {
  const given = { ...(params as Record<string, unknown>) };
  const result = v.safeParse(schema, given, CONFIG);
  if (!result.success || !allStorable(given)) throw new Refusal('NOT_FOUND');
  return result.output;
}
