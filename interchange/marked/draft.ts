import type { Line } from './line.ts';

export interface DraftOption {
  readonly letter: string;
  readonly isMarked: boolean;
  /** Marked by an asterisk, which may be a bullet. */
  readonly isStarred?: boolean;
  readonly lines: Line[];
}

/** A question as derived from its lines. */
export interface QuestionDraft {
  readonly place: string;
  readonly number: number | null;
  /** The part of the test that it stands in, «вариант 2»; '' for none. */
  readonly section?: string;
  readonly text: Line[];
  readonly options: DraftOption[];
  /** The notation itself says which options are right: a sign in their texts is text. */
  readonly isTagged?: boolean;
  /** In the file the right option is always the first one: students must not see that. */
  readonly isFirstRight?: boolean;
  /** The text after «Ответ:», or in the table of answers. */
  key: string | null;
  readonly explanation: Line[];
  /** Why the file may mean something else, in Russian. */
  doubts?: readonly string[];
  /** Where the notation itself names the sides; an empty one has no partner. */
  readonly pairs?: readonly { readonly left: Line; readonly right: Line }[];
  /** Where the notation itself numbers the items of an order: those in the right order. */
  readonly order?: readonly Line[][];
}

export function addDoubt(draft: QuestionDraft, doubt: string): void {
  const { doubts = [] } = draft;
  if (!doubts.includes(doubt)) draft.doubts = [...doubts, doubt];
}
