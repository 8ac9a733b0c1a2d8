import { fileTypeFromBuffer } from 'file-type';

/** The MIME type of a file by its content; undefined: unknown or truncated. */
export async function detectedType(bytes: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    // The library throws at the end of its input.
    return undefined;
  }
}
