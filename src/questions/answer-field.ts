import type { ComponentType } from 'react';
import type { Answer } from '#contract/answers.ts';
import type { AnswerOf, Kind, StudentQuestionOf } from '#domain/kinds/rules.ts';
import type { ChangeFiles } from '#app/outbox/change-files.ts';
import type { QuestionView } from '#app/outbox/types.ts';
import type { FilePick, FileToPick } from './file/file-picks.ts';
import type { PreparedFile } from './file/read-picked-file.ts';

/** The files of an answer, and those still being added. */
export interface FileStore {
  pick(file: FileToPick<PreparedFile> & { readonly mimeType: string }): void;
  /** Cancels a pick that is being read, or dismisses one that failed. */
  cancel(pickId: number): void;
  /** The changes made to a file that this page stored; null: none. */
  noteOf(fileId: string): string | null;
  /** Null: the bytes are not on this device. */
  bytesOf(fileId: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** The destination of a screen's answers: the outbox of an attempt, or the memory of a preview. */
export interface AnswerStore {
  /** Stores a choice at once. */
  choose(answer: Answer): void;
  /** Accepts the answer typed so far; it is stored at a pause in typing. */
  type(answer: Answer): void;
  /** Stores the typed text now. */
  commit(): Promise<unknown>;
  /** Removes files of an answer, or changes their order. */
  changeFiles(questionId: string, change: ChangeFiles): void;
  readonly files: FileStore;
  /** Picked files that are not stored yet. */
  readonly picks: readonly FilePick[];
}

/** The answer to a question, and its stage. */
export type ShownAnswer = Pick<QuestionView, 'answer' | 'stage' | 'upload'>;

export interface AnswerFieldProps<K extends Kind = Kind> {
  question: StudentQuestionOf<K>;
  /** Null: none yet. */
  answer: AnswerOf<K> | null;
  shown: ShownAnswer;
  store: AnswerStore;
  locked: boolean;
  /** Formatted time of the answer's stage. */
  at?: string | undefined;
  /** Id of the question's text. */
  labelledBy: string;
  /** Enter in a field of one line. */
  onNext: () => void;
}

/** The answer field for questions of one kind. */
export interface AnswerInput<K extends Kind> {
  Field: ComponentType<AnswerFieldProps<K>>;
  /** Loads the field ahead of time: the network may be gone when the question is shown. */
  preload?(question: StudentQuestionOf<K>): void;
  /** Whether the field draws the question's text, because it is answered within the text. */
  holdsText?(question: StudentQuestionOf<K>): boolean;
  /** Whether the field itself shows where its answer is stored. */
  readonly holdsState?: true;
  /** Number of digit keys that choose something. */
  digits?(question: StudentQuestionOf<K>): number;
  /** The answer after a digit from 1; null: it chooses nothing. */
  press?(
    question: StudentQuestionOf<K>,
    answer: AnswerOf<K> | null,
    digit: number,
  ): AnswerOf<K> | null;
  /**
   * The announcement of a changed answer for screen readers; absent: the field itself announces it, or it is typed.
   * @param labelledBy the id that the field was given
   */
  spoken?(answer: AnswerOf<K>, labelledBy: string): string;
  /** A short text for an answer without its question on the device. */
  summary(answer: AnswerOf<K>): string;
}
