import * as v from 'valibot';
import { RunningElsewhereDetails } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { Started } from '#contract/passing.ts';
import type { ApiFailure } from '#app/api/failure.ts';
import type { AttemptRow, StartRow } from '#app/storage/rows.ts';
import { adoptStarted, attemptsOf } from './attempts.ts';
import type { Core } from './core.ts';
import { exchange, setReachability } from './exchange.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import type { StartOutcome } from './types.ts';

const startKey = (owner: string, testId: string): string => `start:${owner}:${testId}`;

/** The stream this device holds of a running attempt of the test, to go on with it. */
function ownStream(
  attempts: readonly AttemptRow[],
  testId: string,
  now: number | null,
): string | null {
  const running = attempts.filter(
    (row) =>
      row.testId === testId &&
      row.state !== 'finished' &&
      !row.takenOver &&
      !row.gone &&
      (now === null || now < row.deadline),
  );
  return running.at(-1)?.stream ?? null;
}

/** The start under way for this test, or a new one; stored before the first try. */
async function pendingStart(
  core: Core,
  owner: string,
  testId: string,
  takeOver: string | null,
): Promise<StartRow> {
  const attempts = await attemptsOf(core, owner);
  const own = takeOver === null ? ownStream(attempts, testId, core.keeper.serverNow()) : null;
  const key = startKey(owner, testId);
  const fresh: StartRow = {
    key,
    kind: 'start',
    owner,
    testId,
    idempotencyKey: core.env.newId(),
    stream: own ?? core.env.newId(),
    takeOver,
  };
  const { value } = await core.writeAnywhere(['device'], async (tx) => {
    const known = await tx.get('device', key);
    // A plain start goes on with whatever is under way; a take-over replaces a plain one.
    const isSame = known?.kind === 'start' && (takeOver === null || known.takeOver === takeOver);
    if (isSame) return known;
    await tx.put('device', fresh);
    return fresh;
  });
  return value;
}

async function settleStart(core: Core, key: string): Promise<void> {
  for (const storage of [core.main, core.overflow]) {
    await storage
      .write(['device'], (tx) => tx.delete('device', key))
      .catch((error: unknown) => {
        if (!(error instanceof StorageFailure)) throw error;
      });
  }
}

function isDefinite(failure: ApiFailure): boolean {
  const status = failure.status ?? 0;
  const isVerdict = failure.kind === 'refused' && status >= 400 && status < 500;
  return isVerdict && ![401, 408, 426, 429].includes(status);
}

function refusedBy(failure: ApiFailure): StartOutcome {
  const { status = 0, code = '', message } = failure;
  if (code === 'RUNNING_ELSEWHERE') {
    const details = v.safeParse(RunningElsewhereDetails, failure.details);
    if (details.success) {
      const { userTestId, lastHeardAt } = details.output;
      return { kind: 'runningElsewhere', attemptId: userTestId, lastHeardAt };
    }
  }
  return { kind: 'refused', status, code, message };
}

/**
 * Starts a test, goes on with its running attempt, or takes it over. The same key and stream are sent
 * until a reply is definite: a lost reply never costs an attempt.
 */
export async function startAttempt(
  core: Core,
  testId: string,
  options: { takeOver?: string } = {},
): Promise<StartOutcome> {
  await core.ready();
  const session = await core.session();
  if (!session)
    return {
      kind: 'refused',
      status: 401,
      code: 'UNAUTHORIZED',
      message: 'Войдите, чтобы продолжить',
    };
  const { owner, token } = session;
  const start = await pendingStart(core, owner, testId, options.takeOver ?? null);
  const headers = {
    [HEADER.idempotencyKey]: start.idempotencyKey,
    [HEADER.stream]: start.stream,
    ...(start.takeOver === null ? {} : { [HEADER.takeOver]: start.takeOver }),
  };
  const sent = await exchange<Started>(core, null, () =>
    core.env.transport.start(token, testId, headers),
  );
  if (sent.ok) {
    const attempt = await adoptStarted(core, owner, sent.value);
    await settleStart(core, start.key);
    return { kind: 'started', attempt, started: sent.value };
  }
  const { failure } = sent;
  if (isDefinite(failure)) {
    await settleStart(core, start.key);
    return refusedBy(failure);
  }
  if (failure.kind === 'refused' && (failure.status === 401 || failure.status === 426)) {
    return refusedBy(failure);
  }
  const isReachable = failure.kind === 'refused';
  if (!isReachable) setReachability(core, core.env.online?.() === false ? 'offline' : 'silent');
  return { kind: 'unknown', reachable: isReachable };
}
