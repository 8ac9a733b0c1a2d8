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
  /** The part of the test that contains it, «вариант 2»; '' for none. */
  readonly section?: string;
  readonly text: Line[];
  readonly options: DraftOption[];
  /** The notation itself marks the right options, so a sign in their texts is text. */
  readonly isTagged?: boolean;
  /** The file always has the right option first, which students must not see. */
  readonly isFirstRight?: boolean;
  /** The text after «Ответ:», or in the table of answers. */
  key: string | null;
  readonly explanation: Line[];
  /** Why the file may mean something else, in Russian. */
  doubts?: readonly string[];
  /** For a notation with explicit sides; an empty side has no partner. */
  readonly pairs?: readonly { readonly left: Line; readonly right: Line }[];
  /** For a notation with numbered items of an order: the items in the right order. */
  readonly order?: readonly Line[][];
}

export function addDoubt(draft: QuestionDraft, doubt: string): void {
  const { doubts = [] } = draft;
  if (!doubts.includes(doubt)) draft.doubts = [...doubts, doubt];
}
