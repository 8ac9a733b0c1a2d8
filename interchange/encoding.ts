import { decodeBytes, type DecodedText } from '#domain/text-decoding.ts';
import { TEXT_BYTES_MOST } from './limits.ts';
import { UnreadableFile } from './model.ts';

/**
 * The text of a file in any encoding that Russian files come in.
 * @throws {UnreadableFile} empty, too large, or no text at all
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const decoded = decodeBytes(bytes, TEXT_BYTES_MOST);
  if (decoded.kind === 'none') throw new UnreadableFile(decoded.problem);
  return decoded;
}
