import type { Question, StudentQuestion } from '#contract/questions.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { fetchPicture } from '#app/lib/files.ts';
import type { ResolveImage } from '#app/ui/rich-text/pictures.ts';

const ADDRESS = /\]\(((?:audio-)?file:[0-9a-f-]{36})\)/g;

function* textsIn(value: object): Generator<string> {
  for (const part of Object.values(value) as unknown[]) {
    if (typeof part === 'object' && part !== null) yield* textsIn(part);
    else if (typeof part === 'string') yield part;
  }
}

/** All texts of the questions, at any depth. */
export const textsOf = (questions: readonly (Question | StudentQuestion)[]): string[] => [
  ...textsIn(questions),
];

/** Addresses of the pictures and recordings in the texts: `file:KEY` and `audio-file:KEY`, each once. */
export function fileAddresses(texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(ADDRESS)].map((match) => match[1] ?? ''))),
  ];
}

// Lazy: few tests contain recordings.
const loadRecordings = createModuleLoader(() => import('#app/lib/fetch-recording.ts'));
const fetchRecording = async (key: string) => (await loadRecordings()).fetchRecording(key);

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
