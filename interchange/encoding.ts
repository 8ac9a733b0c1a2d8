import { decodeBytes, type DecodedText } from '#domain/text-decoding.ts';
import { MAX_TEXT_BYTES } from './limits.ts';
import { UnreadableFile } from './model.ts';

/**
 * Decodes a file in any common encoding of Russian files.
 * @throws {UnreadableFile} empty, too large, or not a text
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const decoded = decodeBytes(bytes, MAX_TEXT_BYTES);
  if (decoded.kind === 'none') throw new UnreadableFile(decoded.problem);
  return decoded;
}
