import * as v from 'valibot';
import { MAX_ISSUES } from '#contract/bounded-list.ts';
import type { Schema } from '#contract/route.ts';
import { isStorable } from './read-json.ts';
import { boundFieldName, type FieldMessage, Refusal, invalid } from './refusal.ts';

const toFieldMessage = (issue: v.BaseIssue<unknown>): FieldMessage => {
  const field = v.getDotPath(issue) ?? '';
  // Messages for people begin in Russian; valibot's own are for programmers, and quote the input.
  const isForPeople = /^[А-ЯЁ«]/.test(issue.message);
  if (isForPeople) return { field, message: issue.message };
  if (issue.expected === 'never') return { field, message: 'Лишнее поле' };
  if (issue.received === 'undefined') return { field, message: 'Поле не заполнено' };
  return { field, message: 'Неверное значение' };
};

/** The issues as messages for people, one for each field, at most 50: a reply of 20 KB. */
export function fieldProblems(issues: readonly v.BaseIssue<unknown>[]): FieldMessage[] {
  const fields = new Map<string, FieldMessage>();
  for (const issue of issues) {
    if (fields.size === MAX_ISSUES) break;
    const { field, message } = toFieldMessage(issue);
    const name = boundFieldName(field);
    if (!fields.has(name)) fields.set(name, { field: name, message });
  }
  return [...fields.values()];
}

/** Reports only the first issue of a field, so that no pattern runs on a value that is already too long. */
const CONFIG = { abortPipeEarly: true } as const;

/**
 * The value as its schema outputs it.
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

/** Parses the query; unknown parameters are ignored. */
export function parseQuery(schema: Schema, query: unknown): unknown {
  const given = { ...(query as Record<string, unknown>) };
  if (!allStorable(given)) throw new Refusal('BAD_REQUEST');
  return parseInput(schema, given);
}

/** Parses path parameters; an invalid one is a URL that does not exist. */
export function parseParams(schema: Schema, params: unknown): unknown {
  const given = { ...(params as Record<string, unknown>) };
  const result = v.safeParse(schema, given, CONFIG);
  if (!result.success || !allStorable(given)) throw new Refusal('NOT_FOUND');
  return result.output;
}
