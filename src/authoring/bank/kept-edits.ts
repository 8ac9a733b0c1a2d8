import * as v from 'valibot';
import { BankEntry } from '#contract/bank.ts';
import type { Question } from '#contract/questions.ts';
import { tabKeeper, type TabKeeper, type TabStorage } from '#app/authoring/tab-keeper.ts';
import { TypedQuestion } from '#app/storage/drafts.ts';

const Kept = v.array(v.object({ entry: BankEntry, question: TypedQuestion, theme: v.string() }));

/** A question of the bank with what was typed and is not saved yet. */
export interface Edited {
  readonly entry: BankEntry;
  readonly question: Question;
  readonly theme: string;
}

export const editsKeeper = (
  viewerId: string,
  open: () => TabStorage,
): TabKeeper<readonly Edited[]> => tabKeeper(`bank:${viewerId}`, Kept, open);
