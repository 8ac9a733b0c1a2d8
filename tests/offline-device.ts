import { createDecipheriv, createHmac } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { HEADER } from '#contract/headers.ts';
import { makeOffer, renewStartCode, revealStartCode, type Offer } from '#contract/offers.ts';
import type { Started } from '#contract/passing.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import { proofOf } from '#server/offline/offer-crypto.ts';
import { makeSchool, TestDevice, type PlannedTest, type School } from './school.ts';
import type { Answered, TestServer, TestUser } from './server.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM as a device decrypts it; throws for a wrong key, purpose or byte. */
export function decrypt(key: Buffer, bytes: Buffer, purpose: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64url');

export interface OpenedOffer {
  readonly contentKey: Buffer;
  readonly questions: readonly StudentQuestion[];
  /** Proves to the server that the content was opened. */
  proofFor(stream: string): string;
}

/** Opens an offer as its student's device does: with the code and with the device's key. */
export async function openOffer(
  offer: Offer,
  code: string,
  deviceKey: string,
): Promise<OpenedOffer> {
  const { offerId } = offer;
  const codeKey = await hashRaw(code, {
    salt: fromBase64(offer.code.salt),
    memoryCost: offer.code.memoryKib,
    timeCost: offer.code.passes,
    parallelism: 1,
    outputLen: 32,
  });
  const purpose = `offer-key/${offerId}`;
  const inner = decrypt(fromBase64(deviceKey), fromBase64(offer.wrappedKey), purpose);
  const contentKey = decrypt(codeKey, inner, purpose);
  const content = decrypt(contentKey, fromBase64(offer.content), `offer-content/${offerId}`);
  const { questions } = JSON.parse(content.toString()) as { questions: StudentQuestion[] };
  return {
    contentKey,
    questions,
    proofFor: (stream) =>
      createHmac('sha256', contentKey).update(`begin/${offerId}/${stream}`).digest('base64url'),
  };
}

/** A test that may begin without a network. */
export const makeOfflineSchool = (server: TestServer, plan: PlannedTest = {}): Promise<School> =>
  makeSchool(server, { offlineStart: true, ...plan });

/** The query for the code of a class, or of the test. */
export const ofClass = (groupId?: string) => (groupId === undefined ? {} : { groupId });

/** The code as the teacher sees it from now on; of a class with a code of its own if one is named. */
export async function showCode(
  server: TestServer,
  { teacher, testId }: Pick<School, 'teacher' | 'testId'>,
  groupId?: string,
): Promise<string> {
  const of = { params: { id: testId }, query: ofClass(groupId) };
  const shown = await server.send(revealStartCode, of, { as: teacher });
  if (!shown.body.code) throw new Error(`the code was not shown: ${shown.text}`);
  return shown.body.code;
}

export const renewCode = (
  server: TestServer,
  { teacher, testId }: Pick<School, 'teacher' | 'testId'>,
  groupId?: string,
) =>
  server.send(renewStartCode, { params: { id: testId }, query: ofClass(groupId) }, { as: teacher });

/** An installation with an offer, which begins without a network and sends later. */
export class OfflineDevice extends TestDevice {
  offer: Offer | null = null;
  proof = '';
  /** The key of the begin: a repeat sends the same. */
  beginKey: string;

  constructor(server: TestServer, student: TestUser) {
    super(server, student);
    this.beginKey = server.deps.newId();
  }

  get ownOffer(): Offer {
    if (!this.offer) throw new Error('this device has no offer');
    return this.offer;
  }

  /** Fetches the offer while there is a network. */
  async fetch(testId: string): Promise<Answered<Offer>> {
    const reply = await this.server.send(
      makeOffer,
      { params: { id: testId } },
      { as: this.student },
    );
    if (reply.status === 200) this.offer = reply.body;
    return reply;
  }

  /** Opens the offer with a code, without a network. */
  async open(code: string): Promise<OpenedOffer> {
    const key = deviceKeyOf(this.server.deps.state.sealKey, this.student.userId);
    const opened = await openOffer(this.ownOffer, code, key);
    this.proof = opened.proofFor(this.stream);
    this.attemptId = this.ownOffer.offerId;
    return opened;
  }

  /** Sends the begin; `ageMs` is how long ago it was. */
  begin(
    ageMs: number | 'unknown',
    headers: Record<string, string> = {},
  ): Promise<Answered<Started>> {
    return this.start(this.ownOffer.testId, {
      [HEADER.idempotencyKey]: this.beginKey,
      [HEADER.offer]: this.ownOffer.offerId,
      [HEADER.offerProof]: this.proof,
      [HEADER.age]: String(ageMs),
      ...headers,
    });
  }
}

/** Another device of the student, which opened the same offer. */
export function secondOf({ server, student, ownOffer }: OfflineDevice): OfflineDevice {
  const second = new OfflineDevice(server, student);
  const { offerId } = ownOffer;
  second.offer = ownOffer;
  second.attemptId = offerId;
  second.proof = proofOf(server.deps.state.sealKey, offerId, second.stream).toString('base64url');
  return second;
}
