import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { UploadState } from '#contract/passing.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import type { FileRow, OperationRow } from '#app/storage/rows.ts';
import { ANNA, FakeServer, id, START } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  file,
  holding,
  operation,
  type TestCore,
} from './test-rows.ts';
import type { FileChunk, CallResult } from './transport.ts';
import { FIRST_CHUNK } from './chunk-size.ts';
import { FILE_LOST, setFileAside, uploadStep } from './files.ts';

const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index);
const OPERATION = operation({ owner: ANNA });

const row = (changes: Partial<FileRow> = {}): FileRow =>
  file({ owner: ANNA, operationId: OPERATION.operationId, size: 100, sha256: 'sum', ...changes });

interface RecordedCall {
  readonly route: 'getUpload' | 'uploadChunk';
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly about: unknown;
}

interface Upload extends TestCore {
  readonly one: FileRow;
  readonly calls: RecordedCall[];
  readonly step: () => ReturnType<typeof uploadStep>;
  readonly stored: () => Promise<FileRow | null>;
}

type Reply = CallResult<UploadState>;

/** A file on a device, and a server that gives these replies, repeating the last one. */
async function upload(
  one: FileRow,
  replies: readonly (Reply | ((made: TestCore) => Promise<Reply>))[],
  rows: {
    waits?: Partial<OperationRow>;
    hasBytes?: boolean;
    knowsAttempt?: boolean;
    now?: () => number;
  } = {},
): Promise<Upload> {
  const calls: RecordedCall[] = [];
  const left = [...replies];
  const next = async (): Promise<Reply> => {
    const reply = left.length > 1 ? left.shift() : left[0];
    if (reply === undefined) throw new Error('nothing was to be sent');
    return typeof reply === 'function' ? reply(made) : reply;
  };
  const transport = {
    ...fakeTransport(new FakeServer({ now: START }), () => START),
    getUpload: (
      token: string,
      attemptId: string,
      fileId: string,
      headers: RecordedCall['headers'],
    ) => {
      calls.push({ route: 'getUpload', token, headers, about: [attemptId, fileId] });
      return next();
    },
    uploadChunk: (token: string, about: FileChunk, headers: RecordedCall['headers']) => {
      calls.push({ route: 'uploadChunk', token, headers, about });
      return next();
    },
  };
  const { waits = {}, hasBytes = true, knowsAttempt = true, now = () => 0 } = rows;
  const { fileId } = one;
  const made = await createTestCore(
    {
      operations: [{ ...OPERATION, ...waits }],
      files: [one],
      fileBytes: hasBytes ? [{ fileId, part: 0, bytes: BYTES.slice().buffer }] : [],
      attempts: knowsAttempt ? [attempt({ state: 'running', streams: [holding()] })] : [],
    },
    { transport, clock: { wall: () => START, monotone: now } },
  );
  made.core.runtime.chunkSize = { ...FIRST_CHUNK, bytes: 40 };
  return {
    ...made,
    one,
    calls,
    step: async () => {
      const [answer = null] = await made.all('operations');
      return uploadStep(made.core, 'token-1', one, answer);
    },
    stored: () => made.file(one),
  };
}

const has = (one: FileRow, received: number, changes: Partial<UploadState> = {}): Reply => ({
  ok: true,
  value: { fileId: one.fileId, received, size: one.size, complete: false, ...changes },
  facts: {
    route: 'uploadChunk',
    status: 200,
    serverTime: START,
    serverEpoch: null,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: START,
    rttMs: 10,
  },
});
const failed = (parts: Partial<FailureParts>): Reply => ({
  ok: false,
  failure: new ApiFailure({ kind: 'refused', method: 'POST', url: '/', ...parts }),
});
const refused = (code: ErrorCode, details?: unknown): Reply =>
  failed({ code, ...ERRORS[code], details });

const PROGRESS = { kind: 'progress' };
const STUCK = {
  kind: 'failed',
  verdict: { kind: 'retry', cause: 'server', timedOut: false, waitMs: null },
};
const aside = (code: ErrorCode) => ({ kind: 'refused', refusal: { code, ...ERRORS[code] } });

test('the next chunk starts at the server’s offset and carries the metadata of the file', async () => {
  const one = row({ received: 30 });
  const made = await upload(one, [has(one, 70), has(one, 100, { complete: true })]);
  expect(await made.step()).toEqual(PROGRESS);
  const { fileId, questionId, size, sha256, name, mimeType, stream } = one;
  const whole = { attemptId: ATTEMPT, fileId, questionId, size, sha256, name, mimeType };
  const headers = { [HEADER.stream]: stream, [HEADER.head]: '9' };
  const sent = { route: 'uploadChunk', token: 'token-1', headers };
  expect(made.calls).toEqual([
    { ...sent, about: { ...whole, offset: 30, bytes: BYTES.slice(30, 70) } },
  ]);
  expect(await made.stored()).toEqual({ ...one, received: 70 });
  expect(await made.step()).toEqual(PROGRESS);
  expect(made.calls[1]).toEqual({
    ...sent,
    about: { ...whole, offset: 70, bytes: BYTES.slice(70) },
  });
  expect(await made.stored()).toEqual({ ...one, state: 'complete', received: 100 });
});

test('row 10: a file with a lost attempt row is still sent', async () => {
  const one = row();
  const made = await upload(one, [has(one, 40)], { knowsAttempt: false });
  expect(await made.step()).toEqual(PROGRESS);
  expect(made.calls[0]?.headers[HEADER.head]).toBe('0');
});

test.each<[string, Partial<FileRow>, Partial<OperationRow>]>([
  ['the server has whole', { state: 'complete' }, {}],
  ['was set aside', { state: 'setAside', wanted: true }, {}],
  ['no answer waits for', {}, { state: 'acknowledged' }],
  ['belonged to a folded answer', {}, { state: 'folded' }],
])('a file that %s is not sent', async (_, changes, waits) => {
  const made = await upload(row(changes), [], { waits });
  expect(await made.step()).toEqual(PROGRESS);
  expect(made.calls).toEqual([]);
});

test('a file that is no longer on the device is not sent', async () => {
  const made = await upload(row(), []);
  await made.core.storage.write(['files'], (tx) => tx.delete('files', made.one.fileId));
  expect(await made.step()).toEqual(PROGRESS);
});

test('row 26: a file that the server requested is sent whatever the state of its answer', async () => {
  const one = row({ wanted: true });
  const made = await upload(one, [has(one, 100, { complete: true })], {
    waits: { state: 'acknowledged' },
  });
  await made.step();
  expect(made.calls).toHaveLength(1);
  expect(await made.stored()).toMatchObject({ state: 'complete', wanted: false });
});

test('a file without its bytes is lost, and no request is made', async () => {
  const made = await upload(row(), [], { hasBytes: false });
  expect(await made.step()).toEqual({ kind: 'refused', refusal: FILE_LOST });
});

test('row 39: a chunk that timed out, or ended late without a reply, makes the next one smaller', async () => {
  const at = { now: 0 };
  const one = row({ size: 100 });
  const after = (ms: number, reply: Reply) => async () => {
    at.now += ms;
    return reply;
  };
  const cut = failed({ kind: 'unreachable' });
  const made = await upload(
    one,
    [
      after(1, failed({ kind: 'unreachable', timedOut: true })),
      after(1, failed({ kind: 'notOurs', status: 408 })),
      after(4_000, cut),
      after(1, cut),
      after(1, has(one, 100, { complete: true })),
    ],
    { now: () => at.now },
  );
  const sizes: number[] = [];
  for (let call = 0; call < 5; call += 1) {
    made.core.runtime.chunkSize = { ...FIRST_CHUNK, bytes: 100_000 };
    await made.step();
    sizes.push(made.core.runtime.chunkSize.bytes);
  }
  // A connection that breaks at once says nothing about the line.
  expect(sizes).toEqual([4_096, 4_096, 4_096, 100_000, 100_000]);
});

test('a reply about another file is no progress', async () => {
  const one = row();
  const made = await upload(one, [has(one, 40, { fileId: id() })]);
  expect(await made.step()).toEqual(STUCK);
  expect(await made.stored()).toEqual(one);
});

test.each([
  [30, 30, STUCK],
  [30, 20, STUCK],
  [30, 31, PROGRESS],
])('a chunk sent from %d after which the server has %d (%#)', async (from, received, step) => {
  const one = row({ received: from });
  const made = await upload(one, [has(one, received)]);
  expect(await made.step()).toEqual(step);
  expect(await made.stored()).toEqual({ ...one, received });
});

test('the received size never exceeds the file size', async () => {
  const one = row();
  const made = await upload(one, [has(one, 500)]);
  await made.step();
  expect(await made.stored()).toEqual({ ...one, received: 100 });
});

test.each([
  ['further than expected: continues there', 60, PROGRESS, { received: 60 }],
  ['nearer than expected: continues there later', 10, STUCK, { received: 10 }],
  ['where expected: waits', 30, STUCK, { received: 30 }],
  ['at the end: its state is read', 100, PROGRESS, { state: 'unchecked' as const }],
  ['beyond the end: its state is read', 500, PROGRESS, { state: 'unchecked' as const }],
])('row 26: a server offset %s', async (_, received, step, changes) => {
  const one = row({ received: 30 });
  const made = await upload(one, [refused('CHUNK_OUT_OF_PLACE', { received })]);
  expect(await made.step()).toEqual(step);
  expect(await made.stored()).toEqual({ ...one, ...changes });
});

test('row 26: a damaged file restarts twice and is set aside at the third time', async () => {
  const one = row({ received: 30 });
  const made = await upload(one, [refused('CHECKSUM_MISMATCH')]);
  expect(await made.step()).toEqual(STUCK);
  expect(await made.stored()).toEqual({ ...one, mismatches: 1, received: 0 });
  expect(await made.step()).toEqual(STUCK);
  expect(await made.step()).toEqual(aside('CHECKSUM_MISMATCH'));
  expect((await made.stored())?.mismatches).toBe(3);
});

test('row 35: refusal of a requested file is not final while the server does not know its attempt', async () => {
  const one = row({ wanted: true });
  expect(await (await upload(one, [refused('NOT_FOUND')])).step()).toEqual(STUCK);
  expect(await (await upload(one, [refused('FORBIDDEN')])).step()).toEqual(aside('FORBIDDEN'));
  expect(await (await upload(row(), [refused('NOT_FOUND')])).step()).toEqual(aside('NOT_FOUND'));
});

test.each(['uploading', 'unchecked'] as const)(
  'a refusal of a file (%s) carries its reason, a failure its verdict',
  async (state) => {
    const one = row({ state });
    const gone = await upload(one, [refused('GONE')]);
    expect(await gone.step()).toEqual(aside('GONE'));
    expect(await gone.stored()).toEqual(one);
    const busy = await upload(one, [refused('UNAVAILABLE')]);
    expect(await busy.step()).toEqual(STUCK);
    const away = await upload(one, [refused('UNAUTHORIZED')]);
    expect(await away.step()).toEqual({
      kind: 'failed',
      verdict: { kind: 'pause', pause: 'signIn' },
    });
  },
);

test('an unknown upload state is read from the server first', async () => {
  const one = row({ state: 'unchecked', received: 70 });
  const made = await upload(one, [has(one, 50)]);
  expect(await made.step(), 'less than thought is no fault of the asking').toEqual(PROGRESS);
  const headers = { [HEADER.stream]: one.stream, [HEADER.head]: '9' };
  expect(made.calls).toEqual([
    { route: 'getUpload', token: 'token-1', headers, about: [ATTEMPT, one.fileId] },
  ]);
  expect(await made.stored()).toEqual({ ...one, state: 'uploading', received: 50 });
});

test('a file that the server has whole is complete, and an unknown one restarts', async () => {
  const one = row({ state: 'unchecked', received: 70, wanted: true });
  const whole = await upload(one, [has(one, 100, { complete: true })]);
  expect(await whole.step()).toEqual(PROGRESS);
  const complete = { state: 'complete', received: 100, wanted: false };
  expect(await whole.stored()).toEqual({ ...one, ...complete });
  const unknown = await upload(one, [refused('NOT_FOUND')]);
  expect(await unknown.step()).toEqual(PROGRESS);
  expect(await unknown.stored()).toEqual({ ...one, state: 'uploading', received: 0 });
});

test('a 404 that is not from our server says nothing about the file', async () => {
  const one = row({ state: 'unchecked', received: 70 });
  const made = await upload(one, [failed({ kind: 'notOurs', status: 404 })]);
  expect(await made.step()).toMatchObject({ kind: 'failed', verdict: { cause: 'network' } });
  expect(await made.stored()).toEqual(one);
});

test('a file that another tab deleted meanwhile is not recreated', async () => {
  const one = row();
  const made = await upload(one, [
    async ({ core }) => {
      await core.storage.write(['files'], (tx) => tx.delete('files', one.fileId));
      return has(one, 40);
    },
  ]);
  await made.step();
  expect(await made.all('files')).toEqual([]);
});

test('a file set aside retains its refusal and is no longer requested', async () => {
  const one = row({ wanted: true });
  const made = await upload(one, []);
  await setFileAside(made.core, one, FILE_LOST);
  expect(await made.stored()).toEqual({
    ...one,
    state: 'setAside',
    wanted: false,
    refusal: FILE_LOST,
  });
});
