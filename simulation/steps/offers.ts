import { makeOffer, revealStartCode } from '#contract/offers.ts';
import { parseDuration } from '#domain/duration.ts';
import { offerCountsUntil } from '#domain/offline-begin.ts';
import { openOffer } from '#app/offers/open-offer.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';
import type { StoredOffer } from '#app/storage/offer-database.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { one } from '#server/db/query.ts';
import { DEAD, type Tab } from '#simulation/tab.ts';
import { forgetTab, type World } from '#simulation/world.ts';

/** Steps of tests that begin without a network: the offer, its start code, the begin. */

/** How often a student tries a code that nobody was shown. */
const DISHONEST = 0.25;
const AWAY = 0.7;

const signedIn = ({ tabs }: World): Tab[] => tabs.filter(({ device }) => device.session !== null);

/** A page asks the server for its student's next attempt; without an offer in the reply the device keeps its own. */
export async function prepareOffer(world: World): Promise<void> {
  const tab = world.random.pick(signedIn(world));
  const test = world.random.pick(world.tests);
  const owner = tab.device.session?.person.userId ?? '';
  const offer = await tab.run(() => tab.ask(makeOffer, { params: { id: test.testId } }));
  if (offer === DEAD || offer === null) return;
  const bytes = JSON.stringify(offer) + Buffer.from(offer.content, 'base64url').toString();
  const isReadable = test.questions.some(({ text }) => bytes.includes(text.slice(0, 20)));
  world.record.offers.push({ offerId: offer.offerId, isReadable });
  tab.device.offers.set(`${owner}/${test.testId}`, { offer, files: [] });
  world.history.note(`${tab.label} holds an offer ${world.history.name('a', offer.offerId)}`);
}

/** The teacher shows the start code. */
export async function showCode(world: World): Promise<void> {
  const { testId } = world.random.pick(world.tests);
  const { status } = await world.server.deliver({
    method: revealStartCode.method,
    url: revealStartCode.path.replace('{id}', testId),
    headers: { authorization: `Bearer ${world.teacher.token}` },
    payload: null,
  });
  world.history.note(`the code is shown: ${status}`);
}

interface Holder {
  readonly tab: Tab;
  readonly owner: string;
  readonly stored: StoredOffer;
}

function someHolder(world: World): Holder | null {
  const holders = signedIn(world).flatMap((tab) => {
    const owner = tab.device.session?.person.userId ?? '';
    return world.tests.flatMap(({ testId }): Holder[] => {
      const stored = tab.device.offers.get(`${owner}/${testId}`);
      return stored ? [{ tab, owner, stored }] : [];
    });
  });
  return holders.length === 0 ? null : world.random.pick(holders);
}

/** A student begins on a device that holds the offer, mostly without a network. */
export async function beginOffline(world: World): Promise<void> {
  const { random, server, history, record, timeline } = world;
  const holder = someHolder(world);
  if (!holder) return;
  const { tab, owner, stored } = holder;
  const { offer } = stored;
  const { offerId, testId } = offer;
  const code = await one<{ code: string; shownAt: Date | null }>(
    server.pool,
    'select code, shown_at as "shownAt" from start_codes where test_id = $1',
    [testId],
  );
  if (!code || (code.shownAt === null && !random.chance(DISHONEST))) return;
  if (random.chance(AWAY)) tab.device.line.online = false;
  const key = await importDeviceKey(tab.device.session?.signedIn.deviceKey ?? '');
  const stream = random.uuid();
  const opened = key && (await openOffer(stored, code.code, key, stream));
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
  const begun = await tab.run(store).catch((error: unknown) => {
    if (error instanceof StorageFailure) return null;
    throw error;
  });
  if (begun === null) return history.note(`${tab.label} cannot store the begin`);
  if (begun === DEAD) {
    record.begins.push({ ...begin, killed: true });
    return forgetTab(world, tab);
  }
  tab.attemptId = begun.attemptId;
  tab.device.offers.delete(`${owner}/${testId}`);
  // An attempt that began here before goes on.
  if (begun.stream === stream) record.begins.push({ ...begin, killed: false });
  const [a, s] = [history.name('a', offerId), history.name('s', begun.stream)];
  history.note(`${tab.label} begins ${a} ${s}${code.shownAt ? '' : ' before the code'}`);
}
