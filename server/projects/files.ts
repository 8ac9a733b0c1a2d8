import { readFile } from 'node:fs/promises';
import type { PoolClient } from 'pg';
import { LOGO_BYTES } from '#contract/limits.ts';
import { execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { validateDocumentation } from '#server/files/documentation.ts';
import { extensionOf, safeFileName } from '#domain/file-name.ts';
import { hashBytes, storeBlob } from '#server/files/store-blob.ts';
import { validatePicture } from '#server/files/picture/clean.ts';
import type { Incoming } from '#server/files/store/blob-store.ts';
import type { FormFile } from '#server/http/form.ts';
import { Refusal } from '#server/http/refusal.ts';

export type FileRole = 'logo' | 'documentation';

/** A file of a project, durable but not named yet. */
export interface StoredProjectFile {
  readonly role: FileRole;
  readonly sha256: string;
  readonly size: number;
  readonly name: string;
  readonly mimeType: string;
}

interface ProjectFormFiles {
  readonly LogoPhoto?: FormFile | undefined;
  readonly Documentation?: FormFile | undefined;
}

interface ValidatedFile extends Omit<StoredProjectFile, 'sha256' | 'size'> {
  readonly incoming: Incoming;
}

const refused = (field: keyof ProjectFormFiles, message: string) =>
  new Refusal('FILE_REFUSED', { message, details: { fields: [{ field, message }] } });

const PICTURE_EXTENSIONS = new Map([
  ['image/jpeg', ['jpg', 'jpeg']],
  ['image/png', ['png']],
  ['image/webp', ['webp']],
  ['image/gif', ['gif']],
]);

/** A name with the extension of the detected type. */
function pictureName(given: string, mimeType: string): string {
  const name = safeFileName(given, 'логотип');
  const fit = PICTURE_EXTENSIONS.get(mimeType) ?? [];
  const said = extensionOf(name);
  if (fit.includes(said)) return name;
  const stem = said === '' ? name : name.slice(0, -said.length - 1);
  return safeFileName(`${stem}.${fit[0] ?? 'bin'}`, 'логотип');
}

async function validateLogo(deps: Deps, { incoming, name }: FormFile): Promise<ValidatedFile> {
  const judged = await validatePicture(await readFile(incoming.path));
  if (!judged.isAccepted) throw refused('LogoPhoto', judged.why);
  const cleaned = await deps.blobs.receive(
    (async function* bytes() {
      yield judged.bytes;
    })(),
    2 * LOGO_BYTES,
  );
  const { mimeType } = judged;
  return { role: 'logo', incoming: cleaned, name: pictureName(name, mimeType), mimeType };
}

async function validateDocument({ incoming, name }: FormFile): Promise<ValidatedFile> {
  const cleaned = safeFileName(name, 'документация');
  const judged = await validateDocumentation(incoming, cleaned);
  if (!judged.isAccepted) throw refused('Documentation', judged.why);
  return { role: 'documentation', incoming, name: cleaned, mimeType: judged.mimeType };
}

/**
 * Validates the files of a form by their content and makes them durable. Unnamed ones are swept later.
 * @throws {Refusal} FILE_REFUSED with the field in `details.fields`, STORAGE_FULL, UNAVAILABLE
 */
export async function storeFormFiles(
  deps: Deps,
  sent: ProjectFormFiles,
  now: Date,
): Promise<StoredProjectFile[]> {
  const judged: ValidatedFile[] = [];
  try {
    // The cheap check first: nothing is rewritten for a refused form.
    if (sent.Documentation) judged.push(await validateDocument(sent.Documentation));
    if (sent.LogoPhoto) judged.push(await validateLogo(deps, sent.LogoPhoto));
    for (const { incoming } of judged) await storeBlob(deps, incoming, now);
  } finally {
    for (const { incoming } of judged) await incoming.discard();
  }
  return judged.map(({ incoming: { sha256, size }, ...file }) => ({ ...file, sha256, size }));
}

/** Replaces files of a project; the old ones lose their names, and their keys become invalid. */
export async function nameFiles(
  client: PoolClient,
  { newId }: Pick<Deps, 'newId'>,
  of: { projectId: string; files: readonly StoredProjectFile[]; now: Date },
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
