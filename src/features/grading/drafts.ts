import * as v from 'valibot';
import type { FormDraftStore } from '#app/lib/form-draft.ts';

/** The unsaved grade of one answer. */
const Draft = v.object({
  points: v.string(),
  comment: v.string(),
  reason: v.string(),
  /** The operation of the graded answer; null: no answer. */
  operationId: v.nullable(v.string()),
});
export type Draft = v.InferOutput<typeof Draft>;

export const isSameDraft = (a: Draft, b: Draft): boolean =>
  a.points === b.points && a.comment === b.comment && a.reason === b.reason;

export const StoredGrades = v.record(v.string(), Draft);

export interface Drafts {
  get(item: string): Draft | undefined;
  has(item: string): boolean;
  /** Undefined removes the draft. */
  set(item: string, draft: Draft | undefined): void;
}

/** Unsaved grades of one teacher and test: in memory, and in the tab's draft store if available. */
export function openDrafts(stored: FormDraftStore<Record<string, Draft>>): Drafts {
  const drafts = new Map(Object.entries(stored.read() ?? {}));
  return {
    get: (item) => drafts.get(item),
    has: (item) => drafts.has(item),
    set(item, draft) {
      if (draft) drafts.set(item, draft);
      else drafts.delete(item);
      stored.save(Object.fromEntries(drafts));
    },
  };
}
