import { isDirty, isOwn, openConflicts, type Copy } from './copy.ts';
import type { Draft, DraftState } from './draft.ts';
import type { Keeping } from './keeping.ts';
import { byId } from './same.ts';
import { isNoWay, refusalWords } from './sending.ts';

/** Why the last exchange with the server failed. */
export interface Failure {
  readonly error: unknown;
  /** `way`: it is tried again by itself. */
  readonly kind: 'way' | 'refused' | 'gone';
}

/** Where what was typed is now; `storedAt` in milliseconds of the server's clock. */
export function stateOf(
  copy: Copy,
  failure: Failure | null,
  keeping: Keeping,
  storedAt: number,
): DraftState {
  if (failure?.kind === 'gone') return { kind: 'gone' };
  if (failure?.kind === 'refused') return { kind: 'refused', message: refusalWords(failure.error) };
  if (!isOwn(copy)) return { kind: 'server', at: new Date(storedAt) };
  if (failure === null && isDirty(copy)) return { kind: 'sending' };
  if (!keeping.isWell()) return { kind: 'memory' };
  const at = keeping.keptAt();
  if (at === null) return { kind: 'sending' };
  const isOffline = failure !== null && isNoWay(failure.error);
  return { kind: 'device', at: new Date(at), isOffline };
}

/** Both sides of what is in conflict; null: deleted there. `by`: who made theirs. */
export function conflictsOf(copy: Copy, by: string | null): Draft['conflicts'] {
  const [here, there] = [byId(copy.mine), byId(copy.server.questions)];
  return openConflicts(copy).map((questionId) => ({
    questionId,
    mine: here.get(questionId) ?? null,
    theirs: there.get(questionId) ?? null,
    by,
  }));
}
