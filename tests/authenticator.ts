import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { BodyOf } from '#contract/route.ts';
import type { addPasskey, loginSecondFactor } from '#contract/second-factor.ts';

type Attestation = BodyOf<typeof addPasskey>['attestation'];
type Assertion = Extract<
  BodyOf<typeof loginSecondFactor>['proof'],
  { method: 'passkey' }
>['assertion'];

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const url64 = (bytes: Buffer) => bytes.toString('base64url');
const text = (words: string) => Buffer.from(words);

const FLAG = { present: 0x01, verified: 0x04, attested: 0x40 } as const;
const NO_MODEL = Buffer.alloc(16);

const twoBytes = (value: number) => Buffer.from([value >> 8, value & 0xff]);

/** The public key as CBOR of COSE: EC2, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = (name: number, value: string) =>
    Buffer.concat([Buffer.from([name, 0x58, 0x20]), Buffer.from(value, 'base64url')]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    point(0x21, x),
    point(0x22, y),
  ]);
}

/** A security key in software: ES256, without attestation. */
export class SoftwareAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = randomBytes(32);
  readonly origin: string;
  /** Rises with each signature; reset it to simulate a copy. */
  counter = 0;
  /** Whether it requires a PIN or a finger; otherwise a touch is enough. */
  isVerifying = true;

  constructor(origin: string) {
    this.origin = origin;
  }

  #authenticatorData(rpId: string, flags: number, attested: Buffer = Buffer.alloc(0)): Buffer {
    this.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested]);
  }

  #flags(): number {
    return this.isVerifying ? FLAG.present | FLAG.verified : FLAG.present;
  }

  #clientData(type: string, challenge: string): Buffer {
    return text(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  /** Replies to the options for a new passkey. */
  attest({ challenge, rp }: { challenge: string; rp: { id: string } }): Attestation {
    const credential = Buffer.concat([
      NO_MODEL,
      twoBytes(this.id.length),
      this.id,
      coseKey(this.#keys.publicKey),
    ]);
    const flags = this.#flags() | FLAG.attested;
    const authData = this.#authenticatorData(rp.id, flags, credential);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      text('fmt'),
      Buffer.from([0x64]),
      text('none'),
      Buffer.from([0x67]),
      text('attStmt'),
      Buffer.from([0xa0, 0x68]),
      text('authData'),
      Buffer.from([0x59]),
      twoBytes(authData.length),
      authData,
    ]);
    return {
      id: url64(this.id),
      rawId: url64(this.id),
      type: 'public-key',
      response: {
        clientDataJSON: url64(this.#clientData('webauthn.create', challenge)),
        attestationObject: url64(attestationObject),
      },
    };
  }

  /** Replies to the options for a proof with a passkey. */
  assert({ challenge, rpId }: { challenge: string; rpId: string }): Assertion {
    const clientData = this.#clientData('webauthn.get', challenge);
    const authenticatorData = this.#authenticatorData(rpId, this.#flags());
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return {
      id: url64(this.id),
      rawId: url64(this.id),
      type: 'public-key',
      response: {
        clientDataJSON: url64(clientData),
        authenticatorData: url64(authenticatorData),
        signature: url64(sign('sha256', signed, this.#keys.privateKey)),
      },
    };
  }
}
