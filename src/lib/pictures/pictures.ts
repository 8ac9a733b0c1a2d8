import type { Question, StudentQuestion } from '#contract/questions.ts';
import { fetchPicture } from '#app/lib/files.ts';
import type { ResolveImage } from '#app/ui/rich-text/pictures.ts';

const ADDRESS = /\]\(((?:audio-)?file:[0-9a-f-]{36})\)/g;

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

/** Addresses of the pictures and recordings in the texts: `file:KEY` and `audio-file:KEY`, each once. */
export function fileAddresses(texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(ADDRESS)].map((match) => match[1] ?? ''))),
  ];
}

// Lazy: few tests play something.
const fetchRecording = async (key: string) =>
  (await import('#app/lib/fetch-recording.ts')).fetchRecording(key);

/** Pictures and recordings of questions as `blob:` URLs: each fetched once, cached by the worker for offline use. */
export interface Pictures {
  resolve: ResolveImage;
  /** Prefetches all of them, so that none is missing offline. */
  prefetch(addresses: readonly string[]): Promise<void>;
  close(): void;
}

export function createPictures(): Pictures {
  const known = new Map<string, Promise<string>>();
  let closings = 0;
  const resolve: ResolveImage = (key, isRecording = false) => {
    const loading =
      known.get(key) ??
      (isRecording ? fetchRecording : fetchPicture)(key).then((blob) => URL.createObjectURL(blob));
    known.set(key, loading);
    // A failed one is refetched the next time it is shown.
    loading.catch(() => known.delete(key));
    return loading;
  };
  return {
    resolve,
    async prefetch(addresses) {
      const before = closings;
      for (const address of addresses) {
        if (closings !== before) return;
        const [scheme, key = ''] = address.split(':');
        await resolve(key, scheme !== 'file').catch(() => undefined);
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
