import { getFile } from '#contract/files.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { call } from '#app/api/call.ts';

const PICTURE = /!\[[^\]]*\]\(file:([0-9a-f-]{36})\)/g;

/** All texts of some questions: their own, and those of options and items. */
export function textsOf(questions: readonly StudentQuestion[]): string[] {
  return questions.flatMap((question) => {
    if (question.kind === 'variant') return [question.text, ...question.options.map((o) => o.text)];
    if (question.kind !== 'compliance') return [question.text];
    return [
      question.text,
      ...question.left.map((l) => l.text),
      ...question.right.map((r) => r.text),
    ];
  });
}

/** Keys of the pictures in some texts. */
export function pictureKeys(texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(PICTURE)].map((match) => match[1] ?? ''))),
  ];
}

/** Pictures of one attempt as `blob:` addresses: each fetched once, kept by the worker for offline. */
export interface Pictures {
  resolve(key: string): Promise<string>;
  /** Fetches all, so that no question is without its picture when the network goes. */
  prefetch(keys: readonly string[]): Promise<void>;
  close(): void;
}

export function createPictures(): Pictures {
  const known = new Map<string, Promise<string>>();
  const resolve = (key: string): Promise<string> => {
    const loading =
      known.get(key) ??
      call(getFile, { query: { path: key } }).then(({ item1, item2 }) => {
        const bytes = Uint8Array.from(atob(item1), (char) => char.charCodeAt(0));
        return URL.createObjectURL(new Blob([bytes], { type: item2 }));
      });
    known.set(key, loading);
    // A failed one is asked for again the next time it is shown.
    loading.catch(() => known.delete(key));
    return loading;
  };
  return {
    resolve,
    async prefetch(keys) {
      for (const key of keys) await resolve(key).catch(() => undefined);
    },
    close() {
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
