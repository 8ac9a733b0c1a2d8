import type { Draft } from '#app/authoring/draft/draft.ts';

/** «Импорт»: a file of another system is looked through first, and then comes in. */
export function ImportSheet(_props: { opened: boolean; onClose: () => void; draft: Draft }) {
  return null;
}
