import type { Question, StudentQuestion } from '#contract/questions.ts';
import { fetchFile } from '#app/lib/files.ts';

const PICTURE = /!\[[^\]]*\]\((?:audio-)?file:([0-9a-f-]{36})\)/g;

const optionTexts = (option: { text: string; feedback?: string | undefined }) =>
  option.feedback === undefined ? [option.text] : [option.text, option.feedback];

/** All texts of the questions, including options, items and explanations. */
export function textsOf(questions: readonly (Question | StudentQuestion)[]): string[] {
  return questions.flatMap((question) => {
    const own = [
      question.text,
      question.passage?.text ?? '',
      ('explanation' in question && question.explanation) || '',
    ];
    if (question.kind === 'variant') return [...own, ...question.options.flatMap(optionTexts)];
    if (question.kind === 'ordering') return [...own, ...question.items.map((item) => item.text)];
    if (question.kind !== 'compliance') return own;
    return [...own, ...question.left.map((l) => l.text), ...question.right.map((r) => r.text)];
  });
}

/** Keys of the pictures and recordings in the texts. */
export function pictureKeys(texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(PICTURE)].map((match) => match[1] ?? ''))),
  ];
}

/** Pictures and recordings of questions as `blob:` URLs: each fetched once, cached by the worker for offline use. */
export interface Pictures {
  resolve(key: string): Promise<string>;
  /** Prefetches all pictures, so that none is missing offline. */
  prefetch(keys: readonly string[]): Promise<void>;
  close(): void;
}

export function createPictures(): Pictures {
  const known = new Map<string, Promise<string>>();
  let closings = 0;
  const resolve = (key: string): Promise<string> => {
    const loading = known.get(key) ?? fetchFile(key).then((blob) => URL.createObjectURL(blob));
    known.set(key, loading);
    // A failed one is refetched the next time it is shown.
    loading.catch(() => known.delete(key));
    return loading;
  };
  return {
    resolve,
    async prefetch(keys) {
      const before = closings;
      for (const key of keys) {
        if (closings !== before) return;
        await resolve(key).catch(() => undefined);
      }
    },
    close() {
      closings += 1;
      for (const loading of known.values()) {
        void loading.then(
          (url) => URL.revokeObjectURL(url),
          () => undefined,
        );
      }
      known.clear();
    },
  };
}
