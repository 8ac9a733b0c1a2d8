import { getTest } from '#contract/full-test.ts';
import { HEADER } from '#contract/headers.ts';
import { startAttempt } from '#contract/passing.ts';
import type { Route } from '#contract/route.ts';
import { parseDuration } from '#domain/duration.ts';
import { openOffer } from '#app/offers/open-offer.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';
import { openStorage } from '#app/storage/open.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import { one } from '#server/db/query.ts';
import type { Device, SavedProfile } from '#simulation/device.ts';
import { someCode } from '#simulation/start-codes.ts';
import { openPage, type World } from '#simulation/world.ts';
import { wipeDevice } from './device.ts';
import { showsQuestions, someHolder, type Holder } from './offers.ts';

/** What a student tries who wants to read an offer before the lesson, or to begin twice. */

/** Codes that are not the offer's: guessed, of another test, or of the same test before or since. */
function wrongCodes(world: World, { prepared, test }: Holder): string[] {
  const { random, tests, record } = world;
  const known = [
    ...tests.map(({ code }) => code),
    ...record.school.renewals.map(({ code }) => code),
    someCode(random),
    // One sign of the right one.
    `${prepared.code.slice(0, -1)}${prepared.code.endsWith('2') ? '3' : '2'}`,
    test.code.toLowerCase(),
  ];
  return known.filter((code) => code !== prepared.code);
}

/** Tries to open an offer with a wrong code, or with the right one and the key of a classmate. */
export async function openByForce(world: World): Promise<void> {
  const { random, server, students, record, history } = world;
  const holder = someHolder(world);
  if (!holder) return;
  const { tab, owner, prepared } = holder;
  const { stored, code } = prepared;
  const others = students.filter(({ userId }) => userId !== owner);
  const thief = others.length > 0 && random.chance(0.5) ? random.pick(others) : null;
  const keyText = deviceKeyOf(server.deps.state.sealKey, thief?.userId ?? owner);
  const key = await importDeviceKey(keyText);
  const tried = thief ? code : random.pick(wrongCodes(world, holder));
  const opened = key && (await openOffer(stored, tried, key, random.uuid()));
  const by = thief ? 'with the key of another student' : 'with a wrong code';
  history.note(
    `${tab.label} tries an offer ${by}: ${typeof opened === 'string' ? opened : 'open'}`,
  );
  if (opened && typeof opened !== 'string')
    record.school.unsealed.push(`${stored.offer.offerId} opens ${by}`);
}

/** Sends the begin of an offer that nobody opened, and reads what it can with it. */
export async function makeUpBegin(world: World): Promise<void> {
  const { random, server, record, history, timeline } = world;
  const holder = someHolder(world);
  if (!holder) return;
  const { tab, owner, prepared, test } = holder;
  const { offer } = prepared.stored;
  const { offerId, testId } = offer;
  const others = await one<{ count: number }>(
    server.pool,
    'select count(*) as count from attempts where test_id = $1 and user_id = $2',
    [testId, owner],
  );
  // Who has an attempt has seen its questions.
  if ((others?.count ?? 0) > 0 || record.begins.some((begin) => begin.offerId === offerId)) return;
  const key = random.uuid();
  const stream = random.uuid();
  const headers = {
    [HEADER.idempotencyKey]: key,
    [HEADER.stream]: stream,
    [HEADER.offer]: offerId,
    [HEADER.offerProof]: Buffer.from(random.bytes(32)).toString('base64url'),
    [HEADER.age]: random.pick(['unknown', '0', '60000', '600000']),
  };
  const send = (route: Route, more: Readonly<Record<string, string>>) =>
    server.deliver({
      method: route.method,
      url: route.path.replace('{id}', testId),
      headers: { authorization: `Bearer ${tab.device.session?.signedIn.token}`, ...more },
      payload: null,
    });
  const begun = await send(startAttempt, headers);
  history.note(`${tab.label} makes up a begin ${history.name('a', offerId)}: ${begun.status}`);
  if (begun.status !== 200) return;
  const keys = record.startKeys.get(`${owner}/${testId}`) ?? new Set();
  record.startKeys.set(`${owner}/${testId}`, keys.add(key));
  record.begins.push({
    offerId,
    testId,
    user: owner,
    device: tab.device.label,
    stream,
    at: timeline.now(),
    schoolAt: server.schoolTime(),
    promisedMs: parseDuration(offer.duration),
    code: null,
    killed: false,
  });
  const again = {
    [HEADER.idempotencyKey]: random.uuid(),
    [HEADER.stream]: random.uuid(),
    [HEADER.takeOver]: offerId,
  };
  for (const reply of [begun, await send(getTest, {}), await send(startAttempt, again)])
    if (showsQuestions(test, reply.text))
      record.school.unsealed.push(`a made-up begin shows the questions of ${offerId}`);
}

/** The stores of a profile that has begun nothing. */
const PROFILE_STORES = ['session', 'device', 'deviceKeys'] as const;

async function readProfile({ factory, session, offers }: Device): Promise<SavedProfile> {
  const storage = await openStorage(factory);
  const rows = await storage.read(PROFILE_STORES, async (tx) => ({
    session: await tx.all('session'),
    device: await tx.all('device'),
    deviceKeys: await tx.all('deviceKeys'),
  }));
  storage.close();
  return { session, offers: new Map(offers), rows };
}

/** The device has the profile in place of its own, of which nothing is left. */
async function putProfile(world: World, device: Device, profile: SavedProfile): Promise<void> {
  const { session, offers, rows } = profile;
  wipeDevice(world, device);
  world.record.school.copiedTo.add(device.label);
  device.session = session;
  for (const [of, prepared] of offers) device.offers.set(of, prepared);
  const storage = await openStorage(device.factory);
  await storage.write(PROFILE_STORES, async (tx) => {
    for (const row of rows.session) await tx.put('session', row);
    for (const row of rows.device) await tx.put('device', row);
    for (const row of rows.deviceKeys) await tx.put('deviceKeys', row);
  });
  storage.close();
  await openPage(world, device);
}

const withOffers = ({ devices }: World): Device[] =>
  devices.filter(({ isLost, session, offers }) => !isLost && session !== null && offers.size > 0);

/** Copies a profile with an offer to another device, so that the offer is there twice. */
export async function copyProfile(world: World): Promise<void> {
  const { random, devices, history } = world;
  const sources = withOffers(world);
  if (sources.length === 0) return;
  const source = random.pick(sources);
  const targets = devices.filter((device) => device !== source && !device.isLost);
  if (targets.length === 0) return;
  const target = random.pick(targets);
  history.note(`${source.label} is copied to ${target.label}`);
  await putProfile(world, target, await readProfile(source));
}

/** Saves a profile with its offer. */
export async function saveProfile(world: World): Promise<void> {
  const sources = withOffers(world);
  if (sources.length === 0) return;
  const device = world.random.pick(sources);
  device.savedProfile = await readProfile(device);
  world.history.note(`${device.label} is saved`);
}

/** Puts a saved profile back, so that its offer may begin once more. */
export async function restoreProfile(world: World): Promise<void> {
  const saved = world.devices.filter(({ savedProfile, isLost }) => savedProfile && !isLost);
  if (saved.length === 0) return;
  const device = world.random.pick(saved);
  const { savedProfile } = device;
  if (!savedProfile) return;
  world.history.note(`${device.label} is as it was saved`);
  await putProfile(world, device, savedProfile);
}
