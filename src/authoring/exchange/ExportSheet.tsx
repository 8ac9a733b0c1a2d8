import type { Draft } from '#app/authoring/draft/draft.ts';

/** «Экспорт»: the test as a file for another system, with what the format cannot carry told before. */
export function ExportSheet(_props: { opened: boolean; onClose: () => void; draft: Draft }) {
  return null;
}
