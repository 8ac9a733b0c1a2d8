import { isDirty, isLocal, openConflicts, type WorkingCopy } from './copy.ts';
import type { DraftEditor, DraftState } from './draft.ts';
import type { DraftPersistence } from './persistence.ts';
import { byId } from './same.ts';
import { isUnreachable, refusalMessage } from './sending.ts';

/** Why the last synchronisation with the server failed. */
export interface Failure {
  readonly error: unknown;
  /** `network`: the server was unreachable, so it is retried automatically. */
  readonly kind: 'network' | 'refused' | 'gone';
}

/** The state of unsent edits; `storedAt` in milliseconds of the server's clock. */
export function stateOf(
  copy: WorkingCopy,
  failure: Failure | null,
  persistence: DraftPersistence,
  storedAt: number,
): DraftState {
  if (failure?.kind === 'gone') return { kind: 'gone' };
  if (failure?.kind === 'refused')
    return { kind: 'refused', message: refusalMessage(failure.error) };
  if (!isLocal(copy)) return { kind: 'server', at: new Date(storedAt) };
  if (failure === null && isDirty(copy)) return { kind: 'sending' };
  if (!persistence.isHealthy()) return { kind: 'memory' };
  const at = persistence.savedAt();
  if (at === null) return { kind: 'sending' };
  const isOffline = failure !== null && isUnreachable(failure.error);
  return { kind: 'device', at: new Date(at), isOffline };
}

/** Both sides of the conflicts; null: deleted there. `by`: the author of theirs. */
export function conflictsOf(copy: WorkingCopy, by: string | null): DraftEditor['conflicts'] {
  const [here, there] = [byId(copy.mine), byId(copy.server.questions)];
  return openConflicts(copy).map((questionId) => ({
    questionId,
    mine: here.get(questionId) ?? null,
    theirs: there.get(questionId) ?? null,
    by,
  }));
}
