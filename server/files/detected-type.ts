import { fileTypeFromBuffer } from 'file-type';

/** The MIME type of a file by its content; undefined: unknown, or what it seems to be is cut short. */
export async function detectedType(bytes: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    // The library throws at the end of what it reads.
    return undefined;
  }
}
