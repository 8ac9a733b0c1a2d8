import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { AskForm, EMPTY_FORM } from './ask-form.ts';
import { NO_DRAFTS, PENDING_MOST, REJECTED_MOST, type Drafts } from './work.ts';

const KeptForm = v.fallback(AskForm, EMPTY_FORM);
const KeptDrafts = v.object({
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
const Kept = v.object({ form: KeptForm, drafts: v.fallback(KeptDrafts, NO_DRAFTS) });

/** What was typed and what came, of one test. */
export interface Work {
  readonly form: AskForm;
  readonly drafts: Drafts;
}

/** Where drafts wait to be accepted or refused: this tab alone, until the sign-out. */
export interface WorkKeeper {
  /** Whether it is kept: storage may be forbidden or full. */
  keep(work: Work): boolean;
  read(): Work;
}

export function workKeeper(
  viewerId: string,
  testId: string,
  open: () => Pick<Storage, 'getItem' | 'setItem'>,
): WorkKeeper {
  const key = `ai:${viewerId}:${testId}`;
  return {
    keep(work) {
      try {
        open().setItem(key, JSON.stringify(work));
        return true;
      } catch {
        return false;
      }
    },
    read() {
      try {
        return v.parse(Kept, JSON.parse(open().getItem(key) ?? '{}'));
      } catch {
        return { form: EMPTY_FORM, drafts: NO_DRAFTS };
      }
    },
  };
}

const TOLD = 'aiTold';

/** Hosts of which this device was told what leaves for them. */
function toldHosts(local: Pick<Storage, 'getItem'>): string[] {
  const kept = v.safeParse(
    v.pipe(v.string(), v.parseJson(), v.array(v.string())),
    local.getItem(TOLD),
  );
  return kept.success ? kept.output : [];
}

export const wasTold = (local: Pick<Storage, 'getItem'>, host: string): boolean =>
  toldHosts(local).includes(host);

/** Remembers that the teacher here knows what leaves for the host. */
export function rememberTold(local: Pick<Storage, 'getItem' | 'setItem'>, host: string): void {
  const hosts = [...new Set([...toldHosts(local), host])].slice(-10);
  try {
    local.setItem(TOLD, JSON.stringify(hosts));
  } catch {
    // A full storage: it is told again next time.
  }
}
