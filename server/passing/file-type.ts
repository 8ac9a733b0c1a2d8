import { detectedType } from '#server/files/detected-type.ts';

/** Old Office files share one container; DOCX is a ZIP. */
const ALLOWED = new Map<string, readonly string[]>([
  ['image/jpeg', ['image/jpeg', 'image/jpg']],
  ['image/png', ['image/png']],
  ['image/webp', ['image/webp']],
  ['image/gif', ['image/gif']],
  ['image/heic', ['image/heic', 'image/heif']],
  ['image/heif', ['image/heic', 'image/heif']],
  ['application/pdf', ['application/pdf']],
  ['application/x-cfb', ['application/msword']],
  [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ],
  ['application/zip', ['application/vnd.openxmlformats-officedocument.wordprocessingml.document']],
]);

/**
 * The type a handed-in file has by its content, among pictures, PDF and Word; null: refused.
 * What the device said decides only between types of one container.
 */
export async function handedInType(head: Buffer, said: string): Promise<string | null> {
  const accepted = ALLOWED.get((await detectedType(head)) ?? '');
  if (!accepted) return null;
  return accepted.includes(said) ? said : (accepted[0] ?? null);
}
