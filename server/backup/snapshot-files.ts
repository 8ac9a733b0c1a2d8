import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '#server/files/store/blob-store.ts';
import { codeOf } from '#server/db/operator-error.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { blobEntry, lanEntry, placeOf, uploadEntry } from './format.ts';
import type { Snapshot, SnapshotBlob, SnapshotUpload } from './snapshot.ts';

/** Where the files of a snapshot lie. */
export interface FilePlaces {
  readonly dataDir: string;
  readonly blobs: BlobStore;
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Enters a blob if it is there; `wrong`: its bytes are not what its hash says. */
async function addBlob(
  archive: ArchiveWriter,
  blobs: BlobStore,
  { sha256, size }: SnapshotBlob,
): Promise<'right' | 'wrong' | 'absent'> {
  const stream = await blobs.open(sha256);
  if (!stream) return 'absent';
  let came = 0;
  /** As many bytes as were announced, whatever the store gives: others show in the checksum. */
  async function* exactly(): AsyncGenerator<Buffer> {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      const rest = piece.subarray(0, size - came);
      came += rest.length;
      if (rest.length > 0) yield rest;
    }
    while (came < size) {
      const filling = Buffer.alloc(Math.min(size - came, 65_536));
      came += filling.length;
      yield filling;
    }
  }
  const digest = await archive.add(blobEntry(sha256), size, exactly());
  return digest.sha256 === sha256 ? 'right' : 'wrong';
}

/** A whole upload has its own name, one that became whole since the snapshot too, or lies among the blobs. */
async function openUpload(folder: string, { id, complete }: SnapshotUpload) {
  const whole = await openIfThere(join(folder, id));
  if (whole || complete) return whole;
  return openIfThere(join(folder, `${id}.part`));
}

async function addUpload(
  archive: ArchiveWriter,
  folder: string,
  upload: SnapshotUpload,
): Promise<boolean> {
  const file = await openUpload(folder, upload);
  if (!file) return false;
  try {
    const { size: there } = await file.stat();
    // What came after the snapshot belongs to no row of it: the device sends that again.
    const size = Math.min(there, upload.received);
    // Whole, since a part may be started over under our hands; none is larger than a pupil's file may be.
    const bytes = Buffer.alloc(size);
    let read = 0;
    while (read < size) {
      const { bytesRead } = await file.read(bytes, read, size - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    const name = upload.complete ? upload.id : `${upload.id}.part`;
    await archive.addWhole(uploadEntry(name), bytes.subarray(0, read));
    return read === upload.received;
  } finally {
    await file.close();
  }
}

async function addLan(archive: ArchiveWriter, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'lan');
  const names = await readdir(folder).catch(() => []);
  for (const name of names.sort()) {
    const entry = lanEntry(name);
    if (name.endsWith('.part') || placeOf(entry) === null) continue;
    await archive.addWhole(entry, await readFile(join(folder, name)));
  }
}

/**
 * Enters every file that the snapshot names, and the keys that phones trust. Gives the names of those
 * that are not there or not right; a part of an upload is no loss, since its device has the whole.
 */
export async function addFiles(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  { dataDir, blobs }: FilePlaces,
  step: (bytes: number) => void,
): Promise<string[]> {
  const missing: string[] = [];
  const kept = new Set<string>();
  for (const blob of await snapshot.blobs()) {
    step(blob.size);
    const found = await addBlob(archive, blobs, blob);
    if (found === 'right') kept.add(blob.sha256);
    else if (found === 'wrong' || blob.named) missing.push(blobEntry(blob.sha256));
  }
  for (const upload of await snapshot.uploads()) {
    step(upload.received);
    const found = await addUpload(archive, join(dataDir, 'uploads'), upload);
    if (!found && upload.complete && !kept.has(upload.sha256)) missing.push(uploadEntry(upload.id));
  }
  await addLan(archive, dataDir);
  return missing;
}
