/** Encodes a text in an encoding that only decoders support, by inverting its table. */
export function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding.startsWith('utf-16')) {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < text.length; at += 1) {
      view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le');
    }
    return bytes;
  }
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [
      new TextDecoder(encoding).decode(Uint8Array.of(byte)),
      byte,
    ]),
  );
  return Uint8Array.from(text, (character) => table.get(character) ?? 0x3f);
}
