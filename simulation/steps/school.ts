import * as v from 'valibot';
import {
  addTime,
  decideHeld,
  deleteAttempt,
  listHeld,
  restoreAttempt,
} from '#contract/attempts.ts';
import type { Route } from '#contract/route.ts';
import { execute, rows } from '#server/db/query.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { operationsOn } from '#simulation/device-operations.ts';
import { restoreBackup, takeBackup } from '#simulation/backup.ts';
import { editTest, probeServer, type World } from '#simulation/world.ts';
import { finish, flushTab } from './writing.ts';

const SECOND_MS = 1_000;

/** Steps of the school: accounts, teachers, the server and its backups. */

export async function revoke(world: World): Promise<void> {
  const signedIn = world.devices.filter(({ session }) => session !== null);
  if (signedIn.length === 0) return;
  const device = world.random.pick(signedIn);
  await world.server.signOut(device.session?.signedIn.token ?? '');
  world.history.fault('tokenRevoked', device.label);
}

export async function blockOne(world: World): Promise<void> {
  const { userId, userName } = world.random.pick(world.students);
  await setBlocked(world, userId, true);
  world.history.fault('blocked', userName);
}

export async function unblockAll(world: World): Promise<void> {
  for (const userId of world.blocked) await setBlocked(world, userId, false);
  world.history.note('nobody is blocked');
}

export async function setBlocked(world: World, userId: string, blocked: boolean): Promise<void> {
  if (blocked) world.blocked.add(userId);
  else world.blocked.delete(userId);
  await execute(world.server.pool, 'update users set blocked_at = $2 where id = $1', [
    userId,
    blocked ? new Date(world.timeline.now()) : null,
  ]);
}

/** A call of the teacher, over a network without faults. */
async function asTeacher(
  world: World,
  route: Route,
  attemptId: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${world.teacher.token}` };
  return world.server.deliver({
    method: route.method,
    url: route.path.replace('{attemptId}', attemptId),
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    payload: body === undefined ? null : JSON.stringify(body),
  });
}

async function someAttempt(world: World): Promise<{ id: string; deadline: Date } | null> {
  const found = await rows<{ id: string; deadline: Date }>(
    world.server.pool,
    'select id, deadline from attempts where user_id = any($1) order by started_at, id',
    [world.students.map(({ userId }) => userId)],
  );
  return found.length === 0 ? null : world.random.pick(found);
}

export async function addMinutes(world: World): Promise<void> {
  const attempt = await someAttempt(world);
  if (attempt === null) return;
  const { moved } = world.record;
  const minutes = world.random.between(1, 20);
  const at = world.timeline.now();
  const { status, text } = await asTeacher(world, addTime, attempt.id, { minutes });
  if (status === 200) {
    const { deadline } = v.parse(addTime.reply, JSON.parse(text));
    const move = { at, from: attempt.deadline.getTime(), to: Date.parse(deadline) };
    moved.set(attempt.id, [...(moved.get(attempt.id) ?? []), move]);
  }
  const name = world.history.name('a', attempt.id);
  world.history.fault('deadlineMoved', `${name} by ${minutes} min: ${status}`);
}

export async function editSomeTest(world: World): Promise<void> {
  await editTest(world, world.random.pick(world.tests));
  world.history.fault('testEdited', '');
}

export async function deleteSome(world: World): Promise<void> {
  const attemptId = (await someAttempt(world))?.id;
  if (attemptId === undefined) return;
  await setDeleted(world, attemptId, true);
  world.history.fault('attemptDeleted', world.history.name('a', attemptId));
}

export async function undeleteAll(world: World): Promise<void> {
  for (const attemptId of world.deleted) await setDeleted(world, attemptId, false);
  world.history.note('no attempt is deleted');
}

export async function setDeleted(world: World, attemptId: string, deleted: boolean): Promise<void> {
  await asTeacher(world, deleted ? deleteAttempt : restoreAttempt, attemptId);
  if (deleted) {
    world.deleted.add(attemptId);
    world.record.onceDeleted.add(attemptId);
  } else world.deleted.delete(attemptId);
}

/** The teacher decides on held answers. */
export async function decide(world: World): Promise<void> {
  const attemptId = (await someAttempt(world))?.id;
  if (attemptId === undefined) return;
  const { text } = await asTeacher(world, listHeld, attemptId);
  const { items = [] } = JSON.parse(text) as { items?: { operationId: string }[] };
  if (items.length === 0) return;
  const decision = world.random.pick(['accepted', 'refused']);
  const operationIds = items.map(({ operationId }) => operationId);
  await asTeacher(world, decideHeld, attemptId, { operationIds, decision });
  world.history.note(`${items.length} held ${decision} in ${world.history.name('a', attemptId)}`);
}

export async function sweep(world: World): Promise<void> {
  await closeDueAttempts(world.server.pool, new Date(world.server.schoolTime()));
}

export async function backUp(world: World): Promise<void> {
  const { pool, deps } = world.server;
  const ids = world.students.map(({ userId }) => userId);
  world.backup = await takeBackup(pool, deps.dataDir, ids);
  world.history.note('a backup is taken');
}

/** Records the outcomes that devices had received, when a restore loses them. */
async function noteVerdicts(world: World): Promise<void> {
  for (const device of world.devices) {
    for (const row of await operationsOn(device, world.server)) {
      if (row.receipt === null) continue;
      const { outcome } = row.receipt;
      world.record.verdictsAtRestore.set(row.operationId, { outcome, device: device.label });
    }
  }
}

export async function restore(world: World): Promise<void> {
  const { backup, server, students, random, record, timeline, history } = world;
  if (!backup) return;
  await noteVerdicts(world);
  const { pool, deps } = server;
  const ids = students.map(({ userId }) => userId);
  await restoreBackup(pool, deps.dataDir, ids, backup, random.chance(0.7));
  deps.state.epoch += 1;
  await server.restart();
  world.backup = null;
  record.restores.push(timeline.now());
  history.fault('backupRestored', `epoch ${deps.state.epoch}`);
}

/** Restores a backup while a device sends: before its request arrives, or before its reply. */
export async function restoreMidway(world: World): Promise<void> {
  const { random, network, tabs } = world;
  const signedIn = tabs.filter(({ device }) => device.session !== null);
  if (signedIn.length === 0) return;
  const tab = random.pick(signedIn);
  // Another call of the device may detect it first.
  const isDetectedFirst = random.chance(0.5);
  network.interrupt({
    kind: random.pick(['answer', 'finish', 'finish', 'file']),
    when: random.pick(['request', 'reply', 'reply']),
    happen: async () => {
      await restore(world);
      if (isDetectedFirst && tab.device.line.online) await probeServer(tab);
    },
  });
  if (random.chance(0.7)) await finish(world);
  await flushTab(world, tab, true);
  network.interrupt(null);
}

/** Corrects or misadjusts the server's clock. */
export async function stepClock(world: World): Promise<void> {
  const { random, server, record, timeline, history } = world;
  const by = random.pick([-300, -90, -20, 20, 90, 300]) * SECOND_MS;
  record.schoolClockSteps.push({ at: timeline.now(), from: server.schoolTime() });
  server.stepClock(by);
  history.fault('schoolClockSet', `by ${by / SECOND_MS} s`);
}

export async function restartServer(world: World): Promise<void> {
  await world.server.restart();
  world.history.fault('serverRestarted', '');
}

export async function arrive(world: World): Promise<void> {
  if (world.network.inFlight() > 0) await world.network.arrive();
}
