import * as v from 'valibot';
import { BankEntry } from '#contract/bank.ts';
import type { Question } from '#contract/questions.ts';
import { TypedQuestion } from '#app/storage/draft-store.ts';

/** A bank question with its unsaved edits. */
export interface Edited {
  readonly entry: BankEntry;
  readonly question: Question;
  readonly theme: string;
}

export const StoredEntries: v.GenericSchema<unknown, readonly Edited[]> = v.array(
  v.object({ entry: BankEntry, question: TypedQuestion, theme: v.string() }),
);
