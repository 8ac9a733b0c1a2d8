import { deflateSync, inflateSync } from 'fflate';
import * as v from 'valibot';
import { isBeginWaiting } from '#app/storage/merge.ts';
import type { AttemptRow, BrokenRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure } from '#app/storage/storage.ts';
import { decryptBytes, encryptBytes } from '#app/storage/cipher.ts';
import {
  HANDOVER_CALLS,
  HANDOVER_JSON_BYTES,
  type HandoverCall,
  HandoverReceipts,
} from '#contract/handover.ts';
import type { Receipt } from '#contract/passing.ts';
import { handoverPlace, handoverReceiptsPlace, joinPart, splitPart } from '#domain/handover.ts';
import { adoptBegin, attemptsOf, unsentOf } from './attempts.ts';
import { BeginEvidence, beginHeaders, hasMovedDeadline, reopenHeld } from './begin.ts';
import type { Core } from './core.ts';
import { decideAttempt } from './decide-attempt.ts';
import { decryptAgain } from './decrypt-again.ts';
import { mayBelong } from './encrypt.ts';
import { readBytes } from './files.ts';
import { fileIdsOf } from './plan.ts';
import { announceFinish, isReceiptOf } from './replies.ts';
import { isProof } from './restored.ts';
import {
  acknowledge,
  claim,
  type ClaimedOperation,
  isFromBeforeRestore,
  reopen,
} from './settle.ts';
import { finishHeaders, operationHeaders } from './transport.ts';

/**
 * Another way than the network for what the server lacks (ADR 17): the same calls, encrypted for the school, and the
 * receipts that come back. Nothing stops being sent: whichever way is first counts, and the other one gets the same
 * receipts.
 */

type Call = v.InferInput<typeof HandoverCall>;

export interface Handover {
  readonly owner: string;
  /** Encrypted; brought in in this order. The first ones contain the begins and answers. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /** Number of parts without files; the finish of an attempt whose files wait is not among them. */
  readonly portions: number;
  /** Number of operations and begins. */
  readonly operations: number;
  /** Number of files; unless left out, each is a part, and the finishes follow them. */
  readonly files: number;
  /**
   * Whether the plain file would have nothing more of its attempts: rows that were refused or cannot be read are only
   * there. A handover with a begin counts as whole, since nobody can bring in a begin from the plain file.
   */
  readonly isWhole: boolean;
}

export interface Handovers {
  /**
   * What waits of the signed-in person; null: the device has no key to encrypt it with. `withoutFiles` reads no file, and
   * leaves out the finishes that wait for them.
   */
  make(what?: 'withoutFiles'): Promise<Handover | null>;
  /** Applies receipts that came back. Null: they are of another person or device, or damaged. */
  apply(sealed: Uint8Array<ArrayBuffer>): Promise<{ readonly receipts: number } | null>;
}

const IV_BYTES = 12;

async function deviceKey(core: Core, owner: string): Promise<CryptoKey | null> {
  if (core.runtime.unstoredKey?.owner === owner) return core.runtime.unstoredKey.key;
  const row = await core.storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner));
  return row?.key ?? null;
}

const bySequence = (a: OperationRow, b: OperationRow): number =>
  a.epoch - b.epoch || a.sequence - b.sequence;

function callOf(core: Core, claimed: ClaimedOperation): Call {
  const { operation, head, manifest } = claimed;
  const { attemptId, answer, writtenEra: era, writtenWall: wall } = operation;
  const metadata = { head, age: core.clock.age({ era, wall }), folded: manifest.folded };
  return answer
    ? { call: 'answer', attemptId, headers: operationHeaders(operation, metadata), body: answer }
    : { call: 'finish', attemptId, headers: finishHeaders(operation, metadata, manifest) };
}

function beginCallOf(core: Core, { attemptId, testId, begin }: AttemptRow): Call[] {
  const evidence = v.safeParse(BeginEvidence, begin);
  if (!evidence.success) return [];
  return [{ call: 'begin', testId, headers: beginHeaders(core, attemptId, evidence.output) }];
}

const fileCallOf = (file: FileRow): Call => {
  const { attemptId, fileId, questionId, size, sha256, name, mimeType } = file;
  return {
    call: 'upload',
    attemptId,
    fileId,
    questionId,
    size: String(size),
    sha256,
    name,
    mimeType,
  };
};

/** The calls in portions of one part's limits, in their order. */
function portionsOf(calls: readonly Call[]): Call[][] {
  const portions: Call[][] = [];
  let bytes = Infinity;
  for (const call of calls) {
    const size = new TextEncoder().encode(JSON.stringify(call)).length + 1;
    const last = portions.at(-1);
    // Half of the limit leaves room for everything around the calls.
    if (last && last.length < HANDOVER_CALLS && bytes + size <= HANDOVER_JSON_BYTES / 2) {
      last.push(call);
      bytes += size;
    } else {
      portions.push([call]);
      bytes = size;
    }
  }
  return portions;
}

interface PlainPart {
  readonly calls: readonly Call[];
  readonly file: Uint8Array;
}

const withoutFile = (calls: readonly Call[]): PlainPart => ({ calls, file: new Uint8Array() });

interface Upload {
  readonly row: FileRow;
  readonly part: PlainPart;
}

/** The files whose bytes the device still has, each with its call. */
async function readUploads(core: Core, files: readonly FileRow[]): Promise<Upload[]> {
  const uploads = [];
  for (const row of files) {
    // An unreadable file must not prevent the handover of the answers.
    const file = await readBytes(core.storage.layerOf(row.operationId), row, 0, row.size).catch(
      (error: unknown) => {
        ignoreStorageFailure(error);
        return null;
      },
    );
    if (file !== null) uploads.push({ row, part: { calls: [fileCallOf(row)], file } });
  }
  return uploads;
}

async function seal(
  key: CryptoKey,
  owner: string,
  { file, ...part }: PlainPart & { readonly madeAt: string | null },
): Promise<Uint8Array<ArrayBuffer>> {
  // Photos are compressed already.
  const packed = deflateSync(joinPart(part, file), { level: file.length > 0 ? 0 : 9 });
  const { iv, cipher } = await encryptBytes(key, handoverPlace(owner), Uint8Array.from(packed));
  const sealed = new Uint8Array(iv.byteLength + cipher.byteLength);
  sealed.set(new Uint8Array(iv), 0);
  sealed.set(new Uint8Array(cipher), iv.byteLength);
  return sealed;
}

/** Everything that waits, claimed: from now on it may be at the server. */
async function claimAll(core: Core, owner: string): Promise<ClaimedOperation[]> {
  const waiting = await core.storage.readAll(['operations'], (tx) =>
    tx.all('operations', 'ownerState', [owner, 'waiting']),
  );
  const claimed: ClaimedOperation[] = [];
  for (const { operationId } of waiting.sort(bySequence)) {
    const one = await claim(core, owner, operationId);
    if (one) claimed.push(one);
  }
  // The barrier of a stream goes after all of its answers.
  const isFinish = ({ operation }: ClaimedOperation): boolean => operation.kind === 'finish';
  return [...claimed.filter((one) => !isFinish(one)), ...claimed.filter(isFinish)];
}

/** The attempt of a row that cannot be read, as far as it says so. */
function attemptOfBroken({ original }: BrokenRow): string | null {
  const named = v.safeParse(v.object({ attemptId: v.string() }), original);
  return named.success ? named.output.attemptId : null;
}

/** Whether rows of these attempts were refused or cannot be read; if nothing is handed over, rows of any attempt. */
async function hasMore(core: Core, owner: string, attempts: ReadonlySet<string>): Promise<boolean> {
  // One refused answer of last year must not keep today's from counting.
  const isOfThese = (attemptId: string | null): boolean =>
    attempts.size === 0 || attemptId === null || attempts.has(attemptId);
  // Nor may a file that was refused after its answer counted.
  const unsent = await (attempts.size === 0
    ? unsentOf(owner, core.storage.readEvery)
    : core.storage.readEvery(['operations'], (tx) =>
        tx.all('operations', 'ownerState', [owner, 'setAside']),
      ));
  const broken = (await core.storage.readBroken()).filter((row) => mayBelong(row, owner));
  return (
    unsent.some(({ state, attemptId }) => state === 'setAside' && isOfThese(attemptId)) ||
    broken.some((row) => isOfThese(attemptOfBroken(row))) ||
    core.runtime.unreadable > 0
  );
}

async function make(core: Core, what?: 'withoutFiles'): Promise<Handover | null> {
  await core.ready();
  await core.storage.store();
  const session = await core.session();
  const owner = session?.owner;
  const key = owner === undefined ? null : await deviceKey(core, owner);
  if (owner === undefined || key === null) return null;
  await decryptAgain(core, owner);
  const begins = (await attemptsOf(core, owner)).filter(isBeginWaiting);
  const claimed = await claimAll(core, owner);
  const named = new Set(claimed.flatMap(({ operation }) => fileIdsOf(operation)));
  const stored = await core.storage.readAll(['files'], (tx) => tx.all('files', 'owner', owner));
  const files = stored.filter(
    ({ fileId, state, wanted }) =>
      (named.has(fileId) || wanted) && (state === 'unchecked' || state === 'uploading'),
  );

  // At one moment, so that every age refers to the same one. A guess would give or cost the time of the way.
  const serverNow = core.clock.measuredNow();
  const madeAt = serverNow === null ? null : new Date(serverNow).toISOString();
  const begun = begins.flatMap((attempt) => beginCallOf(core, attempt));
  const attempts = new Set(
    [...claimed.map(({ operation }) => operation), ...files].map(({ attemptId }) => attemptId),
  );
  const calls = [...begun, ...claimed.map((one) => callOf(core, one))];
  const isWithoutFiles = what === 'withoutFiles';
  const uploads = isWithoutFiles ? [] : await readUploads(core, files);
  const given = isWithoutFiles ? files : uploads.map(({ row }) => row);
  const withFiles = new Set(given.map(({ attemptId }) => attemptId));
  // A finish waits for the files of its answers.
  const isLast = (one: Call): boolean => one.call === 'finish' && withFiles.has(one.attemptId);
  const last = isWithoutFiles ? [] : calls.filter(isLast);
  const portions = portionsOf(calls.filter((one) => !isLast(one)));
  const plain = [
    ...portions.map(withoutFile),
    ...uploads.map(({ part }) => part),
    ...(last.length > 0 ? [withoutFile(last)] : []),
  ];
  const parts = [];
  for (const part of plain) parts.push(await seal(key, owner, { ...part, madeAt }));
  return {
    owner,
    parts,
    portions: portions.length,
    operations: calls.length,
    files: given.length,
    isWhole:
      begun.length > 0 ||
      (uploads.length === files.length && !(await hasMore(core, owner, attempts))),
  };
}

async function open(
  key: CryptoKey,
  owner: string,
  sealed: Uint8Array<ArrayBuffer>,
): Promise<HandoverReceipts | null> {
  const plain = await decryptBytes(key, handoverReceiptsPlace(owner), {
    iv: sealed.slice(0, IV_BYTES).buffer,
    cipher: sealed.slice(IV_BYTES).buffer,
  });
  const part = plain && splitPart(inflateSync(plain));
  if (!part) return null;
  const parsed = v.safeParse(HandoverReceipts, JSON.parse(new TextDecoder().decode(part.json)));
  return parsed.success ? parsed.output : null;
}

async function applyBegin(
  core: Core,
  given: HandoverReceipts['begins'][number],
  owner: string,
  serverEpoch: number,
): Promise<void> {
  const attempt = await core.storage.readAttempt(given.attemptId);
  if (attempt?.owner === owner && attempt.begin?.stream === given.stream)
    await reopenHeld(core, attempt, Date.parse(given.deadline));
  await decideAttempt(core, given.attemptId, (row) => {
    const evidence = v.safeParse(BeginEvidence, row.begin);
    const isOfBegin = evidence.success && evidence.output.stream === given.stream;
    if (row.owner !== owner || !isOfBegin) return row;
    return {
      ...row,
      startedAt: Date.parse(given.startedAt),
      ...adoptBegin(row, given, given.hold ?? undefined, serverEpoch),
    };
  });
}

/**
 * Whether a held finish ends nothing: it was dropped since, its begin is not settled, or its deadline has moved. Drops the
 * last.
 */
async function endsNothing(
  core: Core,
  operation: OperationRow,
  receipt: Receipt,
): Promise<boolean> {
  const { kind, state, attemptId } = operation;
  if (kind !== 'finish' || receipt.outcome !== 'held') return false;
  if (state === 'dropped') return true;
  const attempt = await core.storage.readAttempt(attemptId);
  if (isBeginWaiting(attempt)) return true;
  if (state !== 'waiting' || attempt?.stream !== operation.stream) return false;
  // The server's, if it knows the attempt: begins are applied first, and this confirmation may name none.
  const { deadline } = attempt;
  if (!hasMovedDeadline(operation, receipt, deadline)) return false;
  await reopen(core, operation, deadline);
  core.emit({ kind: 'changed', attemptId });
  return true;
}

async function apply(
  core: Core,
  sealed: Uint8Array<ArrayBuffer>,
): Promise<{ receipts: number } | null> {
  await core.ready();
  const session = await core.session();
  const owner = session?.owner;
  const key = owner === undefined ? null : await deviceKey(core, owner);
  if (owner === undefined || key === null) return null;
  const opened = await open(key, owner, sealed);
  if (opened === null) return null;
  // A begin that may be lost is sent again.
  const begins = isFromBeforeRestore(core, opened) ? [] : opened.begins;
  for (const begin of begins) await applyBegin(core, begin, owner, opened.serverEpoch);
  let receipts = 0;
  for (const receipt of opened.receipts) {
    const operation = await core.storage.readEither(['operations'], (tx) =>
      tx.get('operations', receipt.operationId),
    );
    if (operation?.owner !== owner || !isReceiptOf(receipt, operation)) continue;
    if (await endsNothing(core, operation, receipt)) continue;
    // Brought in without its receipt from before a restore, which makes the attempt anew: it goes again with that one.
    if (receipt.outcome === 'held' && isProof(operation)) continue;
    const how = await acknowledge(core, { operation }, receipt, opened).catch((error: unknown) => {
      // Without space it goes on waiting, and stops no other.
      ignoreStorageFailure(error);
      return 'stale';
    });
    if (how === 'stale') continue;
    receipts += 1;
    announceFinish(core, operation, receipt);
    core.emit({ kind: 'changed', attemptId: operation.attemptId });
  }
  core.emit({ kind: 'written', attemptId: null });
  return { receipts };
}

export const createHandovers = (core: Core): Handovers => ({
  make: (what) => make(core, what),
  apply: (sealed) => apply(core, sealed),
});
