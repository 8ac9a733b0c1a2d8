import * as v from 'valibot';
import type { Answer } from '#contract/answers.ts';
import { bringHandover, type HandoverCall, type HandoverReceipts } from '#contract/handover.ts';
import { HEADER } from '#contract/headers.ts';
import { joinScan, splitScan } from '#domain/handover.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import {
  callsOf,
  keyOf,
  receiptsOf,
  type HandedOver,
  type ReturnedReceipts,
} from '#simulation/handovers.ts';
import { readByCamera } from '#simulation/camera.ts';
import { bodyOf } from '#simulation/evidence.ts';
import { operationsOn } from '#simulation/device-operations.ts';
import type { Random } from '#simulation/random.ts';
import { DEAD, type Tab } from '#simulation/tab.ts';
import { forgetTab, presentPages, type World } from '#simulation/world.ts';

/** Answers that leave their device another way than by the network: made, brought in, and acknowledged. */

/** How often a device shows what it hands over to the teacher's camera, without files. */
const SHOWN = 0.4;
const KILLED = 0.15;
const DAMAGED = 0.15;
const FAILED = 0.1;
/** How often a part does not reach the teacher. */
const PART_LOST = 0.2;
/** How often the receipts do not come back. */
const RECEIPTS_LOST = 0.3;

export const hasHandover = ({ handovers }: World): boolean => handovers.length > 0;
export const hasReturned = (world: World): boolean =>
  world.returned.length > 0 && presentPages(world).length > 0;

/** Whether everything that waits on the device left it. */
async function checkWhole(world: World, { device }: Tab, made: HandedOver): Promise<void> {
  // Its encrypted rows stay where they are until there is space to restore them.
  if (device.isFull) return;
  const { server, history } = world;
  const keys = new Set(made.parts.flatMap((part) => callsOf(server, made.owner, part).map(keyOf)));
  for (const { owner, state, operationId } of await operationsOn(device, server)) {
    const isLeft = owner === made.owner && state === 'waiting' && !keys.has(operationId);
    if (isLeft)
      history.violate({ invariant: 'handoverIsWhole', detail: history.name('o', operationId) });
  }
}

/** A device hands over what the server lacks; sometimes the page ends meanwhile. */
export async function makeHandover(world: World): Promise<void> {
  const { random, history, server, record } = world;
  const tab = random.pick(presentPages(world));
  const isShown = random.fork('camera').chance(SHOWN);
  if (random.chance(KILLED)) tab.dieAfter(random.between(1, 8));
  const made = await tab
    .run(async () => {
      const handovers = await tab.outbox.handovers();
      return isShown ? handovers.make('withoutFiles') : handovers.make();
    })
    .catch((error: unknown) => {
      if (error instanceof StorageFailure) return null;
      throw error;
    });
  tab.dieAfter(null);
  if (made === DEAD) {
    history.fault('pageKilled', `${tab.label} while it hands over`);
    return forgetTab(world, tab);
  }
  if (made === null) return history.note(`${tab.label} cannot hand over`);
  const { owner, parts, operations, files, isWhole } = made;
  const what = `${operations} calls and ${files} files in ${parts.length} parts`;
  const how = isShown ? ' by camera' : '';
  history.note(`${tab.label} hands over ${what}${how}${isWhole ? '' : ', not all'}`);
  if (parts.length === 0) return;
  const handedOver = { owner, device: tab.device.label, parts, isShown };
  world.handovers.push(handedOver);
  // A full device cannot mark what it hands over, as it cannot mark what it sends: a newer answer may replace it, and
  // the server takes both in either order.
  const marked = tab.device.isFull
    ? []
    : parts.flatMap((part) => callsOf(server, owner, part).map(keyOf));
  for (const key of marked) if (key !== null) record.handedOver.add(key);
  // The camera brings no files, and so no finish that waits for them.
  const isAll = isWhole && !(isShown && files > 0);
  if (isAll) await checkWhole(world, tab, handedOver);
}

/** Other bytes than those that a device or the server encrypted. */
function damaged(random: Random, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (random.chance(0.5)) return bytes.slice(0, random.int(bytes.length));
  const changed = bytes.slice();
  const at = random.int(bytes.length);
  changed[at] = (changed[at] ?? 0) ^ 0x5a;
  return changed;
}

async function deliver(world: World, owner: string, part: Uint8Array) {
  return world.server.deliver({
    method: bringHandover.method,
    url: bringHandover.path.replace('{owner}', owner),
    headers: {
      authorization: `Bearer ${world.teacher.token}`,
      'content-type': 'application/octet-stream',
    },
    payload: Buffer.from(part),
  });
}

/** Bytes of nobody's device change nothing: neither damaged ones nor those of a classmate. */
async function bringDamaged(world: World, { owner }: HandedOver, part: Uint8Array<ArrayBuffer>) {
  const { random, students, history } = world;
  const others = students.filter(({ userId }) => userId !== owner);
  const isOfOther = others.length > 0 && random.chance(0.3);
  const { status } = isOfOther
    ? await deliver(world, random.pick(others).userId, part)
    : await deliver(world, owner, damaged(random, part));
  history.note(`a ${isOfOther ? 'foreign' : 'damaged'} part is brought in: ${status}`);
  if (status === 200)
    history.violate({ invariant: 'handoverIsProven', detail: 'a part that nobody made counts' });
}

const KINDS = { begin: 'start', answer: 'answer', finish: 'finish' } as const;

/** Records that the calls of a part reached the server, as the network does of direct calls. */
function noteDeliveries(
  world: World,
  { owner, device }: HandedOver,
  calls: readonly HandoverCall[],
  statusOf: (call: HandoverCall) => number,
): void {
  const { record, timeline, server } = world;
  const times = { at: timeline.now(), schoolAt: server.schoolTime(), isStale: false };
  for (const call of calls) {
    const key = keyOf(call);
    if (key === null || call.call === 'upload') continue;
    const about = call.call === 'begin' ? call.testId : call.attemptId;
    const of = { operationId: key, kind: KINDS[call.call], user: owner, device, about };
    record.deliveries.push({ ...of, ...times, status: statusOf(call) });
    if (call.call !== 'begin') continue;
    const keys = record.startKeys.get(`${owner}/${about}`) ?? new Set();
    record.startKeys.set(`${owner}/${about}`, keys.add(key));
  }
}

/** What the teacher's page has of a part: from a file, or read from the codes on the device's screen. */
function received(
  world: World,
  { owner, isShown }: HandedOver,
  part: Uint8Array<ArrayBuffer>,
): ReturnType<typeof splitScan> {
  if (!isShown) return { owner, part };
  const scan = readByCamera(world, joinScan(owner, part));
  return scan && splitScan(scan);
}

async function bringPart(
  world: World,
  made: HandedOver,
  sent: Uint8Array<ArrayBuffer>,
  fails: boolean,
): Promise<void> {
  const { random, server, history, record, timeline } = world;
  const { device, isShown } = made;
  timeline.advance(random.between(5, 120));
  const read = received(world, made, sent);
  if (!read) return;
  const { owner, part } = read;
  const calls = callsOf(server, owner, part);
  if (fails) server.database.fail(random.pick(['away', 'diesBeforeCommit', 'diesAfterCommit']));
  const { status, text } = await deliver(world, owner, part);
  server.database.fail(null);
  history.note(`${calls.length} calls of ${device} are brought in: ${status}`);
  if (status >= 500) return noteDeliveries(world, made, calls, () => status);
  if (status !== 200) return;
  const reply = v.parse(bringHandover.reply, JSON.parse(text));
  for (const problem of reply.problems) history.note(`  ${problem}`);
  const sealed = Uint8Array.from(Buffer.from(reply.receipts, 'base64'));
  const { begins, receipts } = receiptsOf(server, owner, sealed);
  const done = new Set([
    ...begins.map(({ attemptId }) => attemptId),
    ...receipts.map(({ operationId }) => operationId),
  ]);
  const isDone = (call: HandoverCall): boolean =>
    done.has(call.call === 'begin' ? (call.headers[HEADER.offer] ?? '') : (keyOf(call) ?? ''));
  noteDeliveries(world, made, calls, (call) => (isDone(call) ? 200 : 422));
  const at = timeline.now();
  for (const { operationId } of receipts) record.broughtIn.push({ operationId, at });
  if (!random.chance(RECEIPTS_LOST))
    world.returned.push({ owner, device, calls, sealed, isShown, at });
}

/** The teacher brings a handover in, in any order of its parts; it may come again. */
export async function bringIn(world: World): Promise<void> {
  const { random, handovers } = world;
  const made = random.pick(handovers);
  const parts = random.chance(0.7) ? [...made.parts] : made.parts.toReversed();
  for (const part of parts) {
    if (parts.length > 1 && random.chance(PART_LOST)) continue;
    if (random.chance(DAMAGED)) await bringDamaged(world, made, part);
    else await bringPart(world, made, part, random.chance(FAILED));
  }
}

/** The teacher brings in all handovers, whole. */
export async function bringAllIn(world: World): Promise<void> {
  for (const made of world.handovers)
    for (const part of made.parts) await bringPart(world, made, part, false);
}

/** Records what a device learns from its own receipts. */
function noteReceipts(world: World, returned: ReturnedReceipts, opened: HandoverReceipts): void {
  const { record } = world;
  const { owner: user, device, calls, at } = returned;
  for (const { operationId, stream, outcome } of opened.receipts) {
    record.receipts.push({ operationId, device, user, stream, outcome, at });
    // From the call itself: the page may have died before it learned that the answer was stored.
    const call = calls.find((one) => keyOf(one) === operationId);
    if (call?.call !== 'answer') continue;
    const answer = call.body as Answer;
    record.confirm(device, call.attemptId, answer.questionId, bodyOf(answer));
  }
}

/** A device gets receipts: its own ones, those of another device of the same student, or of a classmate. */
export async function applyReceipts(world: World): Promise<void> {
  const { random, history, server } = world;
  const tab = random.pick(presentPages(world));
  const returned = random.pick(world.returned);
  const isDamaged = random.chance(DAMAGED);
  const given = isDamaged ? damaged(random, returned.sealed) : returned.sealed;
  const sealed = returned.isShown ? readByCamera(world, given) : given;
  if (!sealed) return;
  const isOwn = tab.device.session?.person.userId === returned.owner;
  const isOfDevice = isOwn && !isDamaged && tab.device.label === returned.device;
  if (isOfDevice) noteReceipts(world, returned, receiptsOf(server, returned.owner, sealed));
  const applied = await tab.run(async () => {
    const handovers = await tab.outbox.handovers();
    return handovers.apply(sealed).catch((error: unknown) => {
      // On a full device some stay unread: their answers are sent again.
      if (error instanceof StorageFailure) return null;
      throw error;
    });
  });
  if (applied === DEAD) return forgetTab(world, tab);
  history.note(`${tab.label} gets receipts: ${applied === null ? 'none' : applied.receipts}`);
  const isWrong = applied !== null && (isDamaged || !isOwn);
  if (isWrong || (applied !== null && !isOfDevice && applied.receipts > 0))
    history.violate({ invariant: 'handoverIsProven', detail: `${tab.label} believes receipts` });
  await world.looks.look(tab);
}
