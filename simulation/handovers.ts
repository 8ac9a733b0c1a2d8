import { inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { HandoverCall, HandoverReceipts } from '#contract/handover.ts';
import { HEADER } from '#contract/headers.ts';
import { handoverReceiptsPlace, splitPart } from '#domain/handover.ts';
import { decrypt, deviceKeyBytes } from '#server/auth/device-key.ts';
import { openPart } from '#server/handover/open-part.ts';
import type { SimulatedServer } from './server.ts';

/** What the simulator reads of a handover, which only its owner's device and the server can. */

/** A handover that left a device, and outlives it. */
export interface HandedOver {
  readonly owner: string;
  readonly device: string;
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /** By camera: its parts and the receipts are shown as QR codes. */
  readonly isShown: boolean;
}

/** Encrypted receipts that came out of one part. */
export interface ReturnedReceipts {
  readonly owner: string;
  /** The device that made the handover. */
  readonly device: string;
  /** The calls of the part. */
  readonly calls: readonly HandoverCall[];
  readonly sealed: Uint8Array<ArrayBuffer>;
  readonly isShown: boolean;
  /** When the server replied. */
  readonly at: number;
}

type Keys = Pick<SimulatedServer, 'deps'>;

export function callsOf({ deps }: Keys, owner: string, part: Uint8Array): HandoverCall[] {
  const key = deviceKeyBytes(deps.state.sealKey, owner);
  return openPart(key, owner, Buffer.from(part)).calls.map((call) => v.parse(HandoverCall, call));
}

/** The id of what a call does once, however often it is made; null: an upload. */
export const keyOf = (call: HandoverCall): string | null =>
  call.call === 'upload' ? null : (call.headers[HEADER.idempotencyKey] ?? null);

export function receiptsOf({ deps }: Keys, owner: string, sealed: Uint8Array): HandoverReceipts {
  const key = deviceKeyBytes(deps.state.sealKey, owner);
  const plain = decrypt(key, Buffer.from(sealed), handoverReceiptsPlace(owner));
  const part = plain && splitPart(inflateRawSync(plain));
  if (!part) throw new Error('the receipts of a handover do not open');
  return v.parse(HandoverReceipts, JSON.parse(new TextDecoder().decode(part.json)));
}
