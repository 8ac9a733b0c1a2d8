import * as v from 'valibot';
import type { FormDraftStore } from '#app/lib/form-draft.ts';

/** The unsaved grade of one answer. */
const GradeDraft = v.object({
  points: v.string(),
  comment: v.string(),
  reason: v.string(),
  /** The operation of the graded answer; null: no answer. */
  operationId: v.nullable(v.string()),
});
export type GradeDraft = v.InferOutput<typeof GradeDraft>;

export const isSameDraft = (a: GradeDraft, b: GradeDraft): boolean =>
  a.points === b.points && a.comment === b.comment && a.reason === b.reason;

export const StoredGrades = v.record(v.string(), GradeDraft);

export interface GradeDrafts {
  get(item: string): GradeDraft | undefined;
  has(item: string): boolean;
  /** Undefined removes the draft. */
  set(item: string, draft: GradeDraft | undefined): void;
}

/** Unsaved grades of one teacher and test: in memory, and in the tab's draft store if available. */
export function openDrafts(stored: FormDraftStore<Record<string, GradeDraft>>): GradeDrafts {
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
