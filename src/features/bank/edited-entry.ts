import * as v from 'valibot';
import { BankEntry } from '#contract/bank.ts';
import { Theme } from '#contract/themes.ts';
import { TypedQuestion } from '#app/storage/draft-store.ts';

/** A bank question with its unsaved edits. */
const EntryEdit = v.object({ entry: BankEntry, question: TypedQuestion, theme: v.string() });
export type EntryEdit = v.InferOutput<typeof EntryEdit>;

export const StoredEntries = v.pipe(v.array(EntryEdit), v.readonly());

/** A valid subject key for the API, or none. */
export const themeOf = (key: string): Theme | '' => Theme.options.find((one) => one === key) ?? '';
