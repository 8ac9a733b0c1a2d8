import { detectedType } from '#server/files/detected-type.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';

/** Old Office files share one container; new ones are ZIP, and not always told apart by their head. */
const ALLOWED = new Map<string, readonly string[]>([
  ['image/jpeg', ['image/jpeg', 'image/jpg']],
  ['image/png', ['image/png']],
  ['image/webp', ['image/webp']],
  ['image/gif', ['image/gif']],
  ['image/heic', ['image/heic', 'image/heif']],
  ['image/heif', ['image/heic', 'image/heif']],
  ['application/pdf', ['application/pdf']],
  ['application/x-cfb', ['application/msword', 'application/vnd.ms-excel']],
  [DOCX, [DOCX]],
  [XLSX, [XLSX]],
  [ODS, [ODS]],
  ['application/zip', [DOCX, XLSX, ODS, 'application/zip', 'application/x-zip-compressed']],
]);

/**
 * The type a handed-in file has by its content, among pictures, PDF, Word, tables and ZIP; null: refused.
 * What the device said decides only between types of one container.
 */
export async function handedInType(head: Buffer, said: string): Promise<string | null> {
  const accepted = ALLOWED.get((await detectedType(head)) ?? '');
  if (!accepted) return null;
  return accepted.includes(said) ? said : (accepted[0] ?? null);
}
