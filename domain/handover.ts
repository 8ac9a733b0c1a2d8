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

const ID_CHARACTERS = 36;

/** What a series of QR codes contains: the owner's id and a part. */
export function joinScan(owner: string, part: Uint8Array): Uint8Array<ArrayBuffer> {
  const scan = new Uint8Array(ID_CHARACTERS + part.length);
  scan.set(new TextEncoder().encode(owner).subarray(0, ID_CHARACTERS));
  scan.set(part, ID_CHARACTERS);
  return scan;
}

/** Null: these are no answers that a device hands over. */
export function splitScan(
  scan: Uint8Array,
): { owner: string; part: Uint8Array<ArrayBuffer> } | null {
  const owner = new TextDecoder().decode(scan.subarray(0, ID_CHARACTERS));
  const isOwner = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(owner);
  return isOwner ? { owner, part: scan.slice(ID_CHARACTERS) } : null;
}
