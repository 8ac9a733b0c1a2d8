import { useState } from 'react';
import type { Answer } from '#contract/answers.ts';
import { answerFiles, fileAnswer } from '#domain/answer-files.ts';
import { newId } from '#app/lib/new-id.ts';
import type { AnswerStore, ShownAnswer } from './answer-field.ts';

export interface MemoryAnswers {
  readonly store: AnswerStore;
  shown(questionId: string): ShownAnswer;
  clear(): void;
}

/** The answers of a preview: only in memory while it is open, never stored; of a file only its name and size. */
export function useMemoryAnswers(): MemoryAnswers {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map());
  const set = (answer: Answer) => setAnswers((now) => new Map(now).set(answer.questionId, answer));
  const changeFiles: AnswerStore['changeFiles'] = (questionId, change) =>
    setAnswers((now) =>
      new Map(now).set(
        questionId,
        fileAnswer(questionId, change(answerFiles(now.get(questionId)))),
      ),
    );
  const store: AnswerStore = {
    choose: set,
    type: set,
    commit: () => Promise.resolve(),
    changeFiles,
    files: {
      pick({ questionId, name, size, mimeType, replaces }) {
        const added = { fileId: newId(), name, size, mimeType, sha256: '' };
        changeFiles(questionId, (files) => (replaces ? [added] : [...files, added]));
      },
      cancel: () => undefined,
      noteOf: () => null,
      bytesOf: noBytes,
    },
    picks: NO_PICKS,
  };
  return {
    store,
    shown: (questionId) => ({ ...NOT_STORED, answer: answers.get(questionId) ?? null }),
    clear: () => setAnswers(new Map()),
  };
}

const NO_PICKS: AnswerStore['picks'] = [];
const noBytes = () => Promise.resolve(null);
const NOT_STORED = { stage: 'none', upload: null } as const;
