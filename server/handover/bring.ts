import { deflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import type { RoleNumber } from '#contract/auth.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { type bringHandover, HandoverCall, type HandoverReceipts } from '#contract/handover.ts';
import { HEADER } from '#contract/headers.ts';
import { plausibleAge } from '#contract/primitives.ts';
import type { ReplyOf } from '#contract/route.ts';
import { GRACE_MS } from '#domain/deadline.ts';
import { handoverReceiptsPlace, joinPart } from '#domain/handover.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { deviceKeyBytes, encrypt } from '#server/auth/device-key.ts';
import { one, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { begin } from '#server/offline/begin.ts';
import { ownAttempt } from '#server/passing/access.ts';
import type { DeviceOperations } from '#server/passing/routes.ts';
import { createUploadStore, type UploadStore } from '#server/passing/upload-store.ts';
import { receiveWholeFile } from '#server/passing/uploads.ts';
import { type OpenedPart, openPart } from './open-part.ts';

type Reply = ReplyOf<typeof bringHandover>;

interface Owner {
  readonly userName: string;
  readonly email: string;
  readonly role: RoleNumber;
  readonly blockedAt: Date | null;
}

/** The owner as the caller of the calls. There is no sign-in, so none is extended. */
async function callerOf({ pool }: Deps, userId: string, now: Date): Promise<AuthenticatedUser> {
  const owner = await one<Owner>(
    pool,
    `select user_name as "userName", email, role, blocked_at as "blockedAt"
     from users where id = $1 and erased_at is null`,
    [userId],
  );
  if (!owner) throw new Refusal('HANDOVER_UNREADABLE');
  const { blockedAt, ...user } = owner;
  if (blockedAt) throw new Refusal('HANDOVER_BLOCKED');
  return {
    userId,
    ...user,
    tokenHash: Buffer.alloc(0),
    expiresAt: now,
    confirmedAt: null,
    mustSetUpFactor: false,
  };
}

/** The age of a call at its arrival: its age when the part was made, and the time since then. */
function ageAt(
  age: number | 'unknown' | undefined,
  madeAt: Date | null,
  now: Date,
): number | 'unknown' {
  if (madeAt === null || age === undefined || age === 'unknown') return 'unknown';
  const transitMs = now.getTime() - madeAt.getTime();
  // From the future: its device's clock was set.
  return transitMs < -GRACE_MS ? 'unknown' : plausibleAge(age + Math.max(0, transitMs));
}

type OperationCall = HandoverCall & { call: 'answer' | 'finish' };

/** What the calls of one part need, and what becomes of them. */
interface Bringing {
  readonly deps: Deps;
  readonly operations: DeviceOperations;
  readonly store: UploadStore;
  readonly caller: AuthenticatedUser;
  readonly part: OpenedPart;
  readonly now: Date;
  readonly reply: Omit<Reply, 'receipts'>;
  readonly receipts: HandoverReceipts;
  /** What was receipted as held. */
  readonly held: Pick<OperationCall, 'call' | 'attemptId'>[];
}

async function makeBegin(
  { deps, caller, now, receipts, reply, part }: Bringing,
  { headers, testId }: HandoverCall & { call: 'begin' },
): Promise<void> {
  if (headers[HEADER.offer] === undefined) throw new Refusal('VALIDATION');
  const arrived = { ...headers, [HEADER.age]: ageAt(headers[HEADER.age], part.madeAt, now) };
  const given = { now, byHandover: true };
  const { reply: started } = await begin(deps, caller, testId, arrived, given);
  const { userTestId: attemptId, stream, startedAt, deadline, countsUntil } = started;
  const hold = started.beginHold ?? null;
  receipts.begins.push({ attemptId, stream, startedAt, deadline, countsUntil, hold });
  if (hold === null) reply.begins += 1;
  else reply.heldBegins += 1;
}

async function makeOperation(
  { operations, caller, now, receipts, reply, part, held }: Bringing,
  given: OperationCall,
): Promise<void> {
  const params = { id: given.attemptId };
  const shared = { caller, now, params, byHandover: true, setHeader: () => undefined };
  const age = { [HEADER.age]: ageAt(given.headers[HEADER.age], part.madeAt, now) };
  if (given.call === 'finish') {
    const headers = { ...given.headers, ...age };
    const receipt = await operations.finish({ ...shared, headers });
    receipts.receipts.push(receipt);
    if (receipt.outcome === 'held') held.push(given);
    else reply.finishes += 1;
    return;
  }
  const headers = { ...given.headers, ...age };
  // The part was bounded as a whole.
  const sent = { ...shared, headers, body: given.body, bodyBytes: 0 };
  const receipt = await operations.answer(sent);
  receipts.receipts.push(receipt);
  if (receipt.outcome === 'held') held.push(given);
  else reply.answers += 1;
}

async function makeUpload(
  { deps, store, caller, now, reply, part }: Bringing,
  given: HandoverCall & { call: 'upload' },
): Promise<void> {
  const { call: _, attemptId, ...file } = given;
  const attempt = await ownAttempt(deps.pool, caller, attemptId);
  const sent = { ...file, bytes: part.file };
  await receiveWholeFile(deps, store, attempt, sent, now);
  reply.files += 1;
}

async function makeCall(bringing: Bringing, given: unknown): Promise<void> {
  const parsed = v.safeParse(HandoverCall, given);
  if (!parsed.success) throw new Refusal('VALIDATION');
  const made = parsed.output;
  if (made.call === 'begin') return makeBegin(bringing, made);
  return made.call === 'upload' ? makeUpload(bringing, made) : makeOperation(bringing, made);
}

/** Reasons in other words than for the student, who is not the one who reads them here. */
const PROBLEMS: Partial<Record<ErrorCode, string>> = {
  VALIDATION:
    'Часть переданного сервер не понял: возможно, приложение на устройстве ученика другой версии. На устройстве всё осталось',
  DEADLINE_MOVED:
    'Завершение теста не принято: с тех пор время теста продлили. Попытка закроется сама',
  UNKNOWN_OFFER:
    'Начала этого теста сервер не узнаёт. Пусть ответы пока останутся и на устройстве ученика',
};

/** After so many failures in a row the rest is left for a repeat: each may have waited for the database. */
const MAX_FAILURES_IN_A_ROW = 3;

/**
 * Makes the calls in their order. One that is refused does not stop the others, and its device sends it again. One that
 * fails does not either, since it may be the only one; it is counted for a repeat.
 */
async function makeCalls(bringing: Bringing): Promise<void> {
  const { deps, part, reply } = bringing;
  let inARow = 0;
  for (const [index, call] of part.calls.entries()) {
    try {
      await makeCall(bringing, call);
      inARow = 0;
    } catch (error) {
      if (error instanceof Refusal) {
        inARow = 0;
        const problem = PROBLEMS[error.code] ?? error.message;
        if (!reply.problems.includes(problem)) reply.problems.push(problem);
        continue;
      }
      deps.log.error({ err: error }, 'a call of a handover failed');
      inARow += 1;
      reply.unmade += 1;
      if (inARow < MAX_FAILURES_IN_A_ROW) continue;
      reply.unmade += part.calls.length - index - 1;
      return;
    }
  }
}

/** What waits for the teacher's decision is in an attempt; the rest is stored until its attempt is known again. */
async function countHeld({ deps, reply, held }: Bringing): Promise<void> {
  const known = await rows<{ id: string }>(
    deps.pool,
    'select id from attempts where id = any($1)',
    [held.map(({ attemptId }) => attemptId)],
  );
  const attempts = new Set(known.map(({ id }) => id));
  for (const { call, attemptId } of held) {
    if (attempts.has(attemptId)) reply[call === 'finish' ? 'heldFinishes' : 'held'] += 1;
    else reply[call === 'finish' ? 'strayFinishes' : 'stray'] += 1;
  }
}

function sealReceipts(key: Buffer, owner: string, receipts: HandoverReceipts): string {
  const plain = deflateRawSync(joinPart(receipts, new Uint8Array()));
  return encrypt(key, plain, handoverReceiptsPlace(owner)).toString('base64');
}

/**
 * Brings in parts of handovers: makes their calls for their owners as the direct calls are made.
 * @throws {Refusal} HANDOVER_UNREADABLE for another school's or damaged bytes, HANDOVER_BLOCKED
 */
export function createBringing(deps: Deps, operations: DeviceOperations) {
  const store = createUploadStore(deps.dataDir);
  return async (owner: string, sealed: Buffer, now: Date): Promise<Reply> => {
    const { sealKey, epoch } = deps.state;
    const key = deviceKeyBytes(sealKey, owner);
    const part = openPart(key, owner, sealed);
    const caller = await callerOf(deps, owner, now);
    const accepted = { begins: 0, answers: 0, finishes: 0, files: 0 };
    const waiting = { heldBegins: 0, held: 0, heldFinishes: 0, stray: 0, strayFinishes: 0 };
    const { userName } = caller;
    const reply = { userName, ...accepted, ...waiting, problems: [], unmade: 0 };
    const receipts: HandoverReceipts = { serverEpoch: epoch, begins: [], receipts: [] };
    const shared = { deps, operations, store, caller, part, now };
    const bringing: Bringing = { ...shared, reply, receipts, held: [] };
    await makeCalls(bringing);
    await countHeld(bringing);
    return { ...reply, receipts: sealReceipts(key, owner, receipts) };
  };
}
