import { describe, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import type { StoredDraft } from '#app/storage/draft-store.ts';
import {
  freshCopy,
  isDirty,
  isLocal,
  keepLocalChange,
  openConflicts,
  resolved,
  restoreDraft,
  sendingOf,
  takeServer,
  withSent,
  type WorkingCopy,
} from './copy.ts';
import { idsOf } from './same.ts';
import { idOf, list, question } from './testing.ts';

let made = 100;
const newId = () => idOf((made += 1));

const texts = (questions: readonly Question[]) => questions.map(({ text }) => text);
const typedAs = (text: string, ...others: number[]) => [question(1, text), ...list(...others)];
const sending = (number: number) => ({ order: [idOf(number)], changed: [] });

/** Here «моё», elsewhere «их», and the conflict is open. */
const clash = (mine = typedAs('моё', 2), theirs = typedAs('их', 2)): WorkingCopy =>
  takeServer(keepLocalChange(freshCopy(1, list(1, 2)), mine), 2, theirs).copy;

const rowOf = (mine: readonly Question[], of: Partial<StoredDraft> = {}): StoredDraft => ({
  base: { draftVersion: 1, questions: list(1, 2) },
  mine: [...mine],
  sent: [],
  at: 0,
  ...of,
});

test('without conflicts the local list itself is sent', () => {
  const mine = typedAs('моё', 2);
  const copy = keepLocalChange(freshCopy(1, list(1, 2)), mine);
  expect(isDirty(copy)).toBe(true);
  expect(sendingOf(copy)).toEqual({ order: [1, 2].map(idOf), changed: [question(1, 'моё')] });
  expect(isDirty(freshCopy(1, list(1, 2)))).toBe(false);
});

test('a conflict alone is local and sends nothing', () => {
  const copy = clash();
  expect(openConflicts(copy)).toEqual([idOf(1)]);
  expect(isDirty(copy)).toBe(false);
  expect(isLocal(copy)).toBe(true);
});

test('the last four saves in doubt are remembered', () => {
  let copy = freshCopy(1, list(1));
  for (const number of [1, 2, 3, 4, 5]) copy = withSent(copy, sending(number));
  expect(copy.sent).toEqual([2, 3, 4, 5].map(sending));
  let few = freshCopy(1, list(1));
  for (const number of [1, 2, 3]) few = withSent(few, sending(number));
  expect(few.sent).toEqual([1, 2, 3].map(sending));
});

describe('resolving', () => {
  test('what is no conflict changes nothing', () => {
    const copy = clash();
    expect(resolved(copy, idOf(2), 'theirs', newId)).toBe(copy);
  });

  test('one of two conflicts leaves the other', () => {
    const copy = clash(
      [question(1, 'моё'), question(2, 'моё второе')],
      [question(1, 'их'), question(2, 'их второе')],
    );
    const own = resolved(copy, idOf(2), 'mine', newId);
    expect(openConflicts(own)).toEqual([idOf(1)]);
    expect(sendingOf(own).changed).toEqual([question(2, 'моё второе')]);
    const taken = resolved(copy, idOf(2), 'theirs', newId);
    expect(openConflicts(taken)).toEqual([idOf(1)]);
    expect(texts(taken.mine)).toEqual(['моё', 'их второе']);
    const both = resolved(copy, idOf(2), 'both', newId);
    expect(texts(both.mine)).toEqual(['моё', 'их второе', 'моё второе']);
    expect(openConflicts(both)).toEqual([idOf(1)]);
    expect(new Set(idsOf(both.mine)).size).toBe(3);
  });

  test('«both» with one side deleted retains the other', () => {
    const there = resolved(clash(typedAs('моё', 2), list(2)), idOf(1), 'both', newId);
    expect(texts(there.mine)).toEqual(['моё', 'Вопрос 2']);
    expect(openConflicts(there)).toEqual([]);
    const here = resolved(clash(list(2), typedAs('их', 2)), idOf(1), 'both', newId);
    expect(texts(here.mine)).toEqual(['их', 'Вопрос 2']);
  });

  test('«mine» and «theirs» about a question that was deleted there', () => {
    const copy = clash(typedAs('моё', 2), list(2));
    expect(texts(resolved(copy, idOf(1), 'mine', newId).mine)).toEqual(['моё', 'Вопрос 2']);
    expect(texts(resolved(copy, idOf(1), 'theirs', newId).mine)).toEqual(['Вопрос 2']);
  });
});

describe('the row of another tab', () => {
  test('is restored over an untouched copy', () => {
    const copy = restoreDraft(freshCopy(1, list(1, 2)), rowOf(typedAs('оттуда', 2)), newId);
    expect(texts(copy.mine)).toEqual(['оттуда', 'Вопрос 2']);
    expect(openConflicts(copy)).toEqual([]);
  });

  test('with the same question changed here is added beside it', () => {
    const copy = keepLocalChange(freshCopy(1, list(1, 2)), typedAs('здесь', 2));
    const next = restoreDraft(copy, rowOf(typedAs('оттуда', 2)), newId);
    expect(texts(next.mine)).toEqual(['здесь', 'оттуда', 'Вопрос 2']);
    expect(new Set(idsOf(next.mine)).size).toBe(3);
    expect(openConflicts(next)).toEqual([]);
  });

  test('with a question that was deleted here brings it back', () => {
    const copy = keepLocalChange(freshCopy(1, list(1, 2)), list(2));
    const next = restoreDraft(copy, rowOf(typedAs('оттуда', 2)), newId);
    expect(texts(next.mine).toSorted()).toEqual(['Вопрос 2', 'оттуда']);
  });

  test('that deleted what was changed here leaves it', () => {
    const copy = keepLocalChange(freshCopy(1, list(1, 2)), typedAs('здесь', 2));
    expect(texts(restoreDraft(copy, rowOf(list(2)), newId).mine)).toEqual(['здесь', 'Вопрос 2']);
  });

  test('brings its conflict with the server along, and leaves that of this tab', () => {
    const theirs = [question(1, 'их'), question(2, 'их второе')];
    const here = clash([question(1, 'здесь'), ...list(2)], theirs);
    expect(openConflicts(here)).toEqual([idOf(1)]);
    const next = restoreDraft(here, rowOf([question(1), question(2, 'оттуда')]), newId);
    expect(openConflicts(next)).toEqual([idOf(1), idOf(2)]);
    expect(texts(next.mine)).toEqual(['здесь', 'оттуда']);
    expect(next.start.map(({ text }) => text)).toEqual(['Вопрос 1', 'Вопрос 2']);
  });

  test('with the same conflict as this tab adds it only once', () => {
    const here = clash(typedAs('здесь', 2), typedAs('их', 2));
    const next = restoreDraft(here, rowOf(typedAs('оттуда', 2)), newId);
    expect(openConflicts(next)).toEqual([idOf(1)]);
    expect(texts(next.mine)).toEqual(['здесь', 'оттуда', 'Вопрос 2']);
  });

  test('with what this tab changed and the server too has one conflict and both texts', () => {
    const copy = keepLocalChange(freshCopy(2, typedAs('их', 2)), typedAs('здесь', 2));
    const next = restoreDraft(copy, rowOf(typedAs('оттуда', 2)), newId);
    expect(openConflicts(next)).toEqual([]);
    expect(texts(next.mine)).toEqual(['здесь', 'оттуда', 'Вопрос 2']);
  });

  test('adds its saves in doubt, the last four of all', () => {
    const copy = withSent(withSent(freshCopy(1, list(1, 2)), sending(1)), sending(2));
    const row = rowOf(typedAs('оттуда', 2), { sent: [3, 4, 5].map(sending) });
    expect(restoreDraft(copy, row, newId).sent).toEqual([2, 3, 4, 5].map(sending));
    const few = rowOf(typedAs('оттуда', 2), { sent: [sending(3)] });
    expect(restoreDraft(copy, few, newId).sent).toEqual([1, 2, 3].map(sending));
  });
});
