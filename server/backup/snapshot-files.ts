import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '#server/files/store/blob-store.ts';
import { codeOf } from '#server/db/operator-error.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { blobEntry, lanEntry, archiveEntryOf, uploadEntry } from './format.ts';
import type { Snapshot, SnapshotBlob, SnapshotUpload } from './snapshot.ts';

/** Where the files of a snapshot are stored. */
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

/** Adds a blob if it exists; `wrong`: its bytes do not match its hash. */
async function addBlob(
  archive: ArchiveWriter,
  blobs: BlobStore,
  { sha256, size }: SnapshotBlob,
): Promise<'right' | 'wrong' | 'absent'> {
  const stream = await blobs.open(sha256);
  if (!stream) return 'absent';
  let came = 0;
  /** Exactly the announced number of bytes, whatever the store returns: the checksum detects a difference. */
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

/** A complete upload has its own name, also one completed since the snapshot, or is among the blobs. */
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
    // Bytes that arrived after the snapshot belong to no row of it: the device sends them again.
    const size = Math.min(there, upload.received);
    // Read whole, since a part may be started over meanwhile; none exceeds a student's file limit.
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
    if (name.endsWith('.part') || archiveEntryOf(entry) === null) continue;
    await archive.addWhole(entry, await readFile(join(folder, name)));
  }
}

/**
 * Adds every file that the snapshot names, and the keys that phones trust. Returns the names of missing or
 * damaged ones; a part of an upload is no loss, since its device has the whole.
 */
export async function addFiles(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  { dataDir, blobs }: FilePlaces,
  step: (bytes: number) => void,
): Promise<string[]> {
  const missing: string[] = [];
  const written = new Set<string>();
  for (const blob of await snapshot.blobs()) {
    step(blob.size);
    const found = await addBlob(archive, blobs, blob);
    if (found === 'right') written.add(blob.sha256);
    else if (found === 'wrong' || blob.named) missing.push(blobEntry(blob.sha256));
  }
  for (const upload of await snapshot.uploads()) {
    step(upload.received);
    const found = await addUpload(archive, join(dataDir, 'uploads'), upload);
    if (!found && upload.complete && !written.has(upload.sha256))
      missing.push(uploadEntry(upload.id));
  }
  await addLan(archive, dataDir);
  return missing;
}
