import * as v from 'valibot';

/** What was typed for one answer and is not saved yet. */
const Draft = v.object({
  points: v.string(),
  comment: v.string(),
  reason: v.string(),
  /** The answer it was typed for; null: there was none. */
  operationId: v.nullable(v.string()),
});
export type Draft = v.InferOutput<typeof Draft>;

export const isSameDraft = (a: Draft, b: Draft): boolean =>
  a.points === b.points && a.comment === b.comment && a.reason === b.reason;

const Stored = v.record(v.string(), Draft);

export interface Drafts {
  get(item: string): Draft | undefined;
  has(item: string): boolean;
  /** Undefined forgets it. */
  set(item: string, draft: Draft | undefined): void;
}

/** Unsaved grades of one teacher and test: in memory, and over a reload of this tab as far as it stores. */
export function openDrafts(name: string, storage: Pick<Storage, 'getItem' | 'setItem'>): Drafts {
  const key = `grading:${name}`;
  const drafts = new Map(Object.entries(readStored(key, storage)));
  return {
    get: (item) => drafts.get(item),
    has: (item) => drafts.has(item),
    set(item, draft) {
      if (draft) drafts.set(item, draft);
      else drafts.delete(item);
      try {
        storage.setItem(key, JSON.stringify(Object.fromEntries(drafts)));
      } catch {
        // Forbidden or full: memory has them as long as the page is open.
      }
    },
  };
}

function readStored(key: string, storage: Pick<Storage, 'getItem'>): Record<string, Draft> {
  try {
    const parsed = v.safeParse(Stored, JSON.parse(storage.getItem(key) ?? '{}'));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}
