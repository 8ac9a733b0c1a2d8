import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { Passage } from '#contract/questions.ts';
import { excerptOf, type Collected } from '#interchange/collected.ts';

/** The number of texts that notes name one by one. */
const MAX_NAMED = 10;

export const PASSAGE_TOO_LONG = `Пояснение длиннее ${ANSWER_TEXT_CHARACTERS} символов. Сократите его и добавьте к вопросам в редакторе`;

/** Reports which texts were imported as shared ones: the first by name, further ones in one line. */
export function createPassageNotes(
  found: Collected,
  ofOne: string,
  ofMany: string,
): (text: string, place: string) => void {
  let named = 0;
  return (text, place) => {
    named += 1;
    if (named <= MAX_NAMED)
      found.note(`Пояснение «${excerptOf(text)}» (${place}) стало общим текстом ${ofOne}`);
    if (named === MAX_NAMED + 1)
      found.note(`Дальше в файле есть ещё пояснения: они стали общими текстами ${ofMany}`);
  };
}

/** Texts between the questions of a file, shared by the questions after them. */
export interface ReadPassages {
  /** Begins a text without an answer. `reason`: why it is refused if no question follows it. */
  readonly begin: (text: {
    readonly place: string;
    readonly text: string;
    readonly reason: string;
  }) => void;
  /** The text of the next question, as one of its parts. */
  readonly shown: () => { readonly passage?: Passage };
  /** Call when a question with the text was added. */
  readonly used: () => void;
  /** Call at a category or the end of a section, and at the end of the file. */
  readonly end: () => void;
}

export function readPassages(found: Collected, newId: () => string): ReadPassages {
  let current: { place: string; reason: string; passage: Passage; isUsed: boolean } | null = null;
  const note = createPassageNotes(
    found,
    'вопросов после него: проверьте, ко всем ли оно относится',
    'вопросов после них',
  );
  const end = (): void => {
    if (current === null) return;
    const { place, reason, passage, isUsed } = current;
    current = null;
    if (isUsed) note(passage.text, place);
    else found.refuse(place, passage.text, reason);
  };
  return {
    begin: ({ place, text, reason }) => {
      end();
      if (text.length > ANSWER_TEXT_CHARACTERS) {
        found.refuse(place, text, PASSAGE_TOO_LONG);
        return;
      }
      current = { place, reason, passage: { passageId: newId(), text }, isUsed: false };
    },
    shown: () => (current === null ? {} : { passage: current.passage }),
    used: () => {
      if (current !== null) current.isUsed = true;
    },
    end,
  };
}

/**
 * For a format with texts between questions: the text to write before each question, and whether a category has to end
 * the previous one.
 */
export function writtenPassage(
  previous: { readonly passage?: Passage | undefined } | undefined,
  question: { readonly passage?: Passage | undefined },
  isNewCategory: boolean,
): { readonly before: string | null; readonly endsFormer: boolean } {
  const [former, own] = [previous?.passage, question.passage];
  if (!own) return { before: null, endsFormer: former !== undefined };
  const isSame = former?.passageId === own.passageId && former.text === own.text;
  return { before: isSame && !isNewCategory ? null : own.text, endsFormer: false };
}
