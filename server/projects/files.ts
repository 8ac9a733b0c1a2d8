import { readFile } from 'node:fs/promises';
import type { PoolClient } from 'pg';
import { LOGO_BYTES } from '#contract/limits.ts';
import { execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { judgeDocumentation } from '#server/files/documentation.ts';
import { extensionOf, safeFileName } from '#domain/file-name.ts';
import { hashBytes, keepBlob } from '#server/files/kept.ts';
import { judgePicture } from '#server/files/picture/clean.ts';
import type { Incoming } from '#server/files/store/blob-store.ts';
import type { FormFile } from '#server/http/form.ts';
import { Refusal } from '#server/http/refusal.ts';

export type FileRole = 'logo' | 'documentation';

/** A file of a project, made durable; named by nothing yet. */
export interface TakenFile {
  readonly role: FileRole;
  readonly sha256: string;
  readonly size: number;
  readonly name: string;
  readonly mimeType: string;
}

interface SentFiles {
  readonly LogoPhoto?: FormFile | undefined;
  readonly Documentation?: FormFile | undefined;
}

interface Judged extends Omit<TakenFile, 'sha256' | 'size'> {
  readonly incoming: Incoming;
}

const refused = (field: keyof SentFiles, message: string) =>
  new Refusal('FILE_REFUSED', { message, details: { fields: [{ field, message }] } });

const PICTURE_EXTENSIONS = new Map([
  ['image/jpeg', ['jpg', 'jpeg']],
  ['image/png', ['png']],
  ['image/webp', ['webp']],
  ['image/gif', ['gif']],
]);

/** A name whose extension says what the content is. */
function pictureName(given: string, mimeType: string): string {
  const name = safeFileName(given, 'логотип');
  const fit = PICTURE_EXTENSIONS.get(mimeType) ?? [];
  const said = extensionOf(name);
  if (fit.includes(said)) return name;
  const stem = said === '' ? name : name.slice(0, -said.length - 1);
  return safeFileName(`${stem}.${fit[0] ?? 'bin'}`, 'логотип');
}

async function judgeLogo(deps: Deps, { incoming, name }: FormFile): Promise<Judged> {
  const judged = await judgePicture(await readFile(incoming.path));
  if (!judged.isTaken) throw refused('LogoPhoto', judged.why);
  const cleaned = await deps.blobs.receive(
    (async function* bytes() {
      yield judged.bytes;
    })(),
    2 * LOGO_BYTES,
  );
  const { mimeType } = judged;
  return { role: 'logo', incoming: cleaned, name: pictureName(name, mimeType), mimeType };
}

async function judgeDocument({ incoming, name }: FormFile): Promise<Judged> {
  const cleaned = safeFileName(name, 'документация');
  const judged = await judgeDocumentation(incoming, cleaned);
  if (!judged.isTaken) throw refused('Documentation', judged.why);
  return { role: 'documentation', incoming, name: cleaned, mimeType: judged.mimeType };
}

/**
 * Judges the files of a form by their content and makes them durable. What nothing comes to name is swept.
 * @throws {Refusal} FILE_REFUSED with the field in `details.fields`, STORAGE_FULL, UNAVAILABLE
 */
export async function takeFiles(deps: Deps, sent: SentFiles, now: Date): Promise<TakenFile[]> {
  const judged: Judged[] = [];
  try {
    // The cheap one first: nothing is rewritten for a form that is refused.
    if (sent.Documentation) judged.push(await judgeDocument(sent.Documentation));
    if (sent.LogoPhoto) judged.push(await judgeLogo(deps, sent.LogoPhoto));
    for (const { incoming } of judged) await keepBlob(deps, incoming, now);
  } finally {
    for (const { incoming } of judged) await incoming.discard();
  }
  return judged.map(({ incoming: { sha256, size }, ...file }) => ({ ...file, sha256, size }));
}

/** Puts files in their places; those that were there lose their names, and their keys open nothing. */
export async function nameFiles(
  client: PoolClient,
  { newId }: Pick<Deps, 'newId'>,
  of: { projectId: string; files: readonly TakenFile[]; now: Date },
): Promise<void> {
  for (const { role, sha256, name, mimeType, size } of of.files) {
    await execute(client, 'delete from project_files where project_id = $1 and role = $2', [
      of.projectId,
      role,
    ]);
    await execute(
      client,
      `insert into project_files (key, project_id, role, sha256, name, mime_type, size, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [newId(), of.projectId, role, hashBytes(sha256), name, mimeType, size, of.now],
    );
  }
}
