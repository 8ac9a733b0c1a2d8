import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { createFormDraftStore, type DraftStorage } from '#app/lib/form-draft.ts';
import { AskForm, EMPTY_FORM } from './ask-form.ts';
import { NO_DRAFTS, PENDING_MOST, REJECTED_MOST, type Drafts } from './work.ts';

const StoredForm = v.fallback(AskForm, EMPTY_FORM);
const StoredDrafts = v.object({
  pending: v.pipe(
    v.array(v.object({ question: Question, isRefused: v.boolean(), before: v.nullable(Question) })),
    v.maxLength(PENDING_MOST),
  ),
  rejected: v.pipe(
    v.array(v.object({ reason: v.string(), raw: v.string() })),
    v.maxLength(REJECTED_MOST),
  ),
  missing: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
const StoredWork = v.object({ form: StoredForm, drafts: v.fallback(StoredDrafts, NO_DRAFTS) });

/** Form and drafts of one test. */
export interface Work {
  readonly form: AskForm;
  readonly drafts: Drafts;
}

/** Stores undecided drafts in this tab until the sign-out. */
export interface WorkStore {
  /** Returns whether it was stored: storage may be forbidden or full. */
  save(work: Work): boolean;
  read(): Work;
}

export function createWorkStore(
  viewerId: string,
  testId: string,
  open?: () => DraftStorage,
): WorkStore {
  const store = createFormDraftStore({ kind: 'ai', owner: viewerId, testId }, StoredWork, open);
  return {
    save: store.save,
    read: () => store.read() ?? { form: EMPTY_FORM, drafts: NO_DRAFTS },
  };
}

const TOLD = 'aiTold';

/** Hosts whose disclosure was acknowledged on this device. */
function disclosedHosts(local: Pick<Storage, 'getItem'>): string[] {
  const kept = v.safeParse(
    v.pipe(v.string(), v.parseJson(), v.array(v.string())),
    local.getItem(TOLD),
  );
  return kept.success ? kept.output : [];
}

export const wasDisclosed = (local: Pick<Storage, 'getItem'>, host: string): boolean =>
  disclosedHosts(local).includes(host);

/** Records that the host's disclosure was acknowledged. */
export function markDisclosed(local: Pick<Storage, 'getItem' | 'setItem'>, host: string): void {
  const hosts = [...new Set([...disclosedHosts(local), host])].slice(-10);
  try {
    local.setItem(TOLD, JSON.stringify(hosts));
  } catch {
    // Storage is full: the disclosure is shown again next time.
  }
}
