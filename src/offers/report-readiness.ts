import { reportReadiness, type ReadinessReport } from '#contract/readiness.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { logProblem } from '#app/lib/log.ts';
import { newId } from '#app/lib/new-id.ts';
import type { Storage } from '#app/storage/storage.ts';
import { NO_OFFER } from './fetch-offers.ts';
import { problemsOf, type DeviceCheck } from './readiness.ts';

/** The version of this build. */
declare const __APP_VERSION__: string;

/** The same is reported again after this time, so that the teacher sees the last contact. */
const EVERY_MS = 60_000;

/** Random; made once for this browser, and the same for everybody who uses it. */
function readDeviceId(storage: Storage): Promise<string> {
  return storage.write(['device'], async (tx) => {
    const found = await tx.get('device', 'installation');
    if (found?.kind === 'installation') return found.id;
    const id = newId();
    await tx.put('device', { key: 'installation', kind: 'installation', id });
    return id;
  });
}

export interface ReadinessSender {
  readonly storage: Storage;
  /** The report uses the token of whoever is signed in when it is sent. */
  readonly session: {
    readonly current: () => { readonly user: { readonly userId: string } } | null;
  };
  readonly send: (testId: string, report: ReadinessReport) => Promise<unknown>;
}

export const sendReadiness: ReadinessSender['send'] = (id, body) =>
  call(reportReadiness, { params: { id }, body });

/** The last report of this page, by person and test. */
const lastSent = new Map<string, { readonly text: string; readonly at: number }>();

/** Reports the checks to the teacher, while there is a network. Nothing waits for it, and a failure changes nothing. */
export async function reportChecks(
  { storage, session, send }: ReadinessSender,
  { owner, testId }: { owner: string; testId: string },
  checks: readonly DeviceCheck[],
): Promise<void> {
  if (!navigator.onLine) return;
  const problems = problemsOf(checks);
  const key = `${owner}/${testId}`;
  const text = problems.join();
  const now = performance.now();
  const last = lastSent.get(key);
  if (last?.text === text && now - last.at < EVERY_MS) return;
  lastSent.set(key, { text, at: now });
  try {
    const deviceId = await readDeviceId(storage);
    // Somebody else may have signed in since the device was checked.
    if (session.current()?.user.userId !== owner) {
      lastSent.delete(key);
      return;
    }
    await send(testId, { deviceId, problems, appVersion: __APP_VERSION__ });
  } catch (cause) {
    lastSent.delete(key);
    const isOver = cause instanceof ApiFailure && NO_OFFER.has(cause.code ?? '');
    if (!isOver) logProblem('О готовности устройства не сообщить', { cause });
  }
}
