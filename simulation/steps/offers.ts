import { makeOffer } from '#contract/offers.ts';
import { parseDuration } from '#domain/duration.ts';
import { offerCountsUntil } from '#domain/offline-begin.ts';
import { openOffer } from '#app/offers/open-offer.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import type { PreparedOffer } from '#simulation/device.ts';
import { CODE_COST } from '#simulation/start-codes.ts';
import { DEAD, type Tab } from '#simulation/tab.ts';
import { forgetTab, presentPages, type SchoolTest, type World } from '#simulation/world.ts';

/** Steps of a student whose tests begin without a network: the offer, the begin, the question about a held one. */

/** How often a student tries a code that nobody was shown. */
const DISHONEST = 0.25;
const AWAY = 0.7;
/** How often the page ends while it stores a begin. */
const KILLED = 0.15;

/** Whether a text shows a question of the test. */
export const showsQuestions = ({ questions }: SchoolTest, text: string): boolean =>
  questions.some((question) => text.includes(question.text.slice(0, 20)));

/** A page asks the server for its student's next attempt; without an offer in the reply the device keeps its own. */
export async function prepareOffer(world: World): Promise<void> {
  const tab = world.random.pick(presentPages(world));
  const test = world.random.pick(world.tests);
  const owner = tab.device.session?.person.userId ?? '';
  const reply = await tab.run(() => tab.ask(makeOffer, { params: { id: test.testId } }));
  if (reply === DEAD || reply === null) return;
  const { record, history } = world;
  const { offerId } = reply;
  const bytes = JSON.stringify(reply) + Buffer.from(reply.content, 'base64url').toString();
  record.offers.push({ offerId, isReadable: showsQuestions(test, bytes) });
  if (bytes.includes(test.code)) record.school.unsealed.push(`${offerId} contains its code`);
  const offer = { ...reply, code: { ...reply.code, ...CODE_COST } };
  const prepared = { stored: { offer, files: [] }, code: test.code };
  tab.device.offers.set(`${owner}/${test.testId}`, prepared);
  history.note(`${tab.label} holds an offer ${history.name('a', offerId)}`);
}

export interface Holder {
  readonly tab: Tab;
  readonly owner: string;
  readonly prepared: PreparedOffer;
  readonly test: SchoolTest;
}

/** A page with an offer of its student. */
export function someHolder(world: World): Holder | null {
  const holders = presentPages(world).flatMap((tab) => {
    const owner = tab.device.session?.person.userId ?? '';
    return world.tests.flatMap((test): Holder[] => {
      const prepared = tab.device.offers.get(`${owner}/${test.testId}`);
      return prepared ? [{ tab, owner, prepared, test }] : [];
    });
  });
  return holders.length === 0 ? null : world.random.pick(holders);
}

/** The code that a student types: the one on the board, or one that the student knows from elsewhere. */
function typedCode({ random, record }: World, { test, prepared }: Holder): string | null {
  if (random.chance(DISHONEST)) return prepared.code;
  const isShown = record.school.showings.some(({ code }) => code === test.code);
  return isShown ? test.code : null;
}

/** A student begins on a device that holds the offer, mostly without a network. */
export async function beginOffline(world: World): Promise<void> {
  const { random, server, history, record, timeline } = world;
  const holder = someHolder(world);
  const code = holder && typedCode(world, holder);
  if (!holder || code === null) return;
  const { tab, owner, prepared, test } = holder;
  const { stored } = prepared;
  const { offer } = stored;
  const { offerId, testId } = offer;
  if (random.chance(AWAY)) tab.device.line.online = false;
  const key = await importDeviceKey(tab.device.session?.signedIn.deviceKey ?? '');
  const stream = random.uuid();
  const opened = key && (await openOffer(stored, code, key, stream));
  if (!opened || typeof opened === 'string') {
    history.note(`${tab.label} does not open the offer: ${opened}`);
    return;
  }
  const { schoolTimezone } = server.deps.settings;
  const begin = {
    offerId,
    testId,
    user: owner,
    device: tab.device.label,
    stream,
    at: timeline.now(),
    schoolAt: server.schoolTime(),
    promisedMs: parseDuration(offer.duration),
    code,
  };
  const store = async () => {
    const begins = await tab.outbox.begins();
    return begins.store({
      ...offer,
      language: offer.language,
      owner,
      attemptId: offerId,
      stream,
      questions: opened.questions,
      proof: opened.proof,
      durationMs: parseDuration(offer.duration),
      endsAt: offer.endsAt === null ? null : Date.parse(offer.endsAt),
      countsUntil: (deadline) => offerCountsUntil(offer, deadline, schoolTimezone),
    });
  };
  if (random.chance(KILLED)) tab.dieAfter(random.between(1, 6));
  const begun = await tab.run(store).catch((error: unknown) => {
    if (error instanceof StorageFailure) return null;
    throw error;
  });
  tab.dieAfter(null);
  if (begun === null) return history.note(`${tab.label} cannot store the begin`);
  if (begun === DEAD) {
    record.begins.push({ ...begin, killed: true });
    history.fault('pageKilled', `${tab.label} while it begins`);
    return forgetTab(world, tab);
  }
  tab.attemptId = begun.attemptId;
  tab.device.offers.delete(`${owner}/${testId}`);
  // An attempt that began here before goes on.
  if (begun.stream === stream) record.begins.push({ ...begin, killed: false });
  const [a, s] = [history.name('a', offerId), history.name('s', begun.stream)];
  const isEarly = !record.school.showings.some((one) => one.code === code);
  const how = code === test.code ? '' : ' with a former code';
  history.note(`${tab.label} begins ${a} ${s}${isEarly ? ' before the code' : ''}${how}`);
}

/** A page asks whether the teacher has decided on its begin. */
export async function askBegin(world: World): Promise<void> {
  const tab = world.random.pick(presentPages(world));
  const { attemptId } = tab;
  if (attemptId === null) return;
  const outcome = await tab.run(async () => (await tab.outbox.begins()).ask(attemptId));
  if (outcome === DEAD) return forgetTab(world, tab);
  world.history.note(`${tab.label} asks about its begin`);
  await world.looks.look(tab);
}
