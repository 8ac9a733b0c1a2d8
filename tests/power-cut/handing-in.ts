import { hash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { getFile } from '#contract/files.ts';
import { uploadChunk } from '#contract/passing.ts';
import type { AnsweringStudent } from '#tests/answering-student.ts';
import { Q } from '#tests/school.ts';

const SIZE = 400_000;
const PART = 200_000;
const AGAIN_MS = 50;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A file that the server acknowledged as whole. */
export interface HandedInFile {
  readonly student: AnsweringStudent;
  readonly fileId: string;
  readonly sha256: string;
}

const authorized = ({ user }: AnsweringStudent) => ({ authorization: `Bearer ${user.token}` });

/** Sends a file in parts, from where the server wants it, until it is whole. */
export async function handIn(
  student: AnsweringStudent,
  up: () => Promise<string>,
): Promise<HandedInFile> {
  const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(SIZE)]);
  const sha256 = hash('sha256', bytes, 'hex');
  const fileId = v7();
  const path = uploadChunk.path
    .replace('{id}', student.attempt.userTestId)
    .replace('{fileId}', fileId);
  let offset = 0;
  for (;;) {
    const query = new URLSearchParams({
      offset: String(offset),
      size: String(bytes.length),
      sha256,
      name: 'решение.pdf',
      mimeType: 'application/pdf',
      questionId: Q.file,
    });
    const reply = await fetch(`${await up()}${path}?${query}`, {
      method: uploadChunk.method,
      headers: { ...authorized(student), 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes.subarray(offset, offset + PART)),
    }).then(
      async (response) => ({ status: response.status, body: await response.json() }),
      () => null,
    );
    if (reply?.body.complete === true) return { student, fileId, sha256 };
    if (reply?.status === 200) offset = Number(reply.body.received);
    else if (reply?.status === 409) offset = Number(reply.body.details.received);
    else if (reply && reply.status !== 503)
      throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    else await pause(AGAIN_MS);
  }
}

/** Whether the server still has every byte of a file. */
export async function isWhole(
  { student, fileId, sha256 }: HandedInFile,
  base: string,
): Promise<boolean> {
  const query = new URLSearchParams({ path: fileId });
  const response = await fetch(`${base}${getFile.path}?${query}`, { headers: authorized(student) });
  if (response.status !== 200) return false;
  const { item1 } = await response.json();
  return hash('sha256', Buffer.from(String(item1), 'base64'), 'hex') === sha256;
}
