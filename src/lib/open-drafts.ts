/**
 * Working copies that are open in this page. The session's lifecycle closes them without loading the
 * code of the editors.
 */
const closers = new Set<() => Promise<void>>();

/** Returns the function that removes it. */
export function registerOpenDraft(close: () => Promise<void>): () => void {
  closers.add(close);
  return () => void closers.delete(close);
}

/** Stores and releases every working copy of the page. */
export async function closeOpenDrafts(): Promise<void> {
  await Promise.all([...closers].map((close) => close()));
}
