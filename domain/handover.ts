/** The plain of a part of a handover: the length of its JSON, the JSON, and the bytes of a file. */

const LENGTH_BYTES = 4;

/** Additional authenticated data: what the device encrypted, and what the server encrypted for it. */
export const handoverPlace = (owner: string): string => `handover/${owner}`;
export const handoverReceiptsPlace = (owner: string): string => `handover-receipts/${owner}`;

export function joinPart(value: unknown, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(value));
  const joined = new Uint8Array(LENGTH_BYTES + json.length + bytes.length);
  new DataView(joined.buffer).setUint32(0, json.length);
  joined.set(json, LENGTH_BYTES);
  joined.set(bytes, LENGTH_BYTES + json.length);
  return joined;
}

/** Null: the bytes are no part. */
export function splitPart(joined: Uint8Array): { json: Uint8Array; bytes: Uint8Array } | null {
  if (joined.length < LENGTH_BYTES) return null;
  const length = new DataView(joined.buffer, joined.byteOffset).getUint32(0);
  if (length > joined.length - LENGTH_BYTES) return null;
  const end = LENGTH_BYTES + length;
  return { json: joined.subarray(LENGTH_BYTES, end), bytes: joined.subarray(end) };
}
