import { RESCUE_FORMAT } from '#contract/limits.ts';
import type { FileRow, OperationRow } from '#app/storage/rows.ts';
import { attemptsOf } from './attempts.ts';
import { readBoth, readBroken, type Core } from './core.ts';
import { readBytes } from './files.ts';

const isUnsent = (one: OperationRow): boolean =>
  one.state === 'waiting' || one.state === 'setAside';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function plain(one: OperationRow) {
  const { operationId, stream, epoch, sequence, kind, answer, finishReason, state } = one;
  return {
    operationId,
    stream,
    epoch,
    sequence,
    kind,
    answer,
    finishReason,
    state: one.poisoned ? 'setAside' : state,
    writtenAt: iso(one.writtenServer),
    seenServerTime: one.seenServerTime,
    refusal: one.refusal,
    receipt: one.receipt,
  };
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

async function withBytes(core: Core, file: FileRow) {
  const { fileId, questionId, name, size, mimeType, sha256 } = file;
  const bytes = await readBytes(core.storageOf(file.operationId), file, 0, size);
  return { fileId, questionId, name, size, mimeType, sha256, base64: bytes && base64(bytes) };
}

/** What was encrypted and does not open: as it is, for whoever has the right key. */
async function encryptedOf(core: Core, owner: string) {
  const rows = await core.main
    .read(['encrypted'], (tx) => tx.all('encrypted', 'ownerKind', [owner, 'attempt']))
    .catch(() => []);
  return rows.map(({ id, iv, cipher }) => ({
    id,
    store: 'encrypted',
    iv: base64(new Uint8Array(iv)),
    cipher: base64(new Uint8Array(cipher)),
  }));
}

/** Everything of an owner that the server does not have, as JSON text a teacher can import. */
export async function exportUnsent(core: Core, owner: string): Promise<string> {
  const attempts = [];
  for (const attempt of await attemptsOf(core, owner)) {
    const { attemptId, testId, title, startedAt, deadline } = attempt;
    const held = await readBoth(core, ['operations'], (tx) =>
      tx.all('operations', 'attempt', attemptId),
    );
    const unsent = held.filter(isUnsent);
    if (unsent.length === 0) continue;
    const fileIds = new Set(unsent.map((one) => one.fileId));
    const files = await readBoth(core, ['files'], (tx) => tx.all('files', 'attempt', attemptId));
    attempts.push({
      attemptId,
      testId,
      title,
      startedAt: iso(startedAt),
      deadline: iso(deadline),
      operations: unsent.map(plain),
      files: await Promise.all(
        files.filter((file) => fileIds.has(file.fileId)).map((file) => withBytes(core, file)),
      ),
    });
  }
  const broken = [...(await readBroken(core)), ...(await encryptedOf(core, owner))];
  const exportedAt = iso(core.keeper.serverNow() ?? core.keeper.wall());
  return JSON.stringify(
    { format: RESCUE_FORMAT, version: 1, exportedAt, owner, attempts, broken },
    null,
    2,
  );
}
