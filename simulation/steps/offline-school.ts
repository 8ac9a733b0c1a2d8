import { decideHolds, listHolds, renewStartCode, revealStartCode } from '#contract/offers.ts';
import type { ReplyOf, Route } from '#contract/route.ts';
import { execute, one } from '#server/db/query.ts';
import { setStartCode } from '#simulation/start-codes.ts';
import type { SchoolTest, World } from '#simulation/world.ts';

/** What the teacher does with tests that begin without a network. */

const MINUTE_MS = 60_000;

/** A call of the teacher about a test, over a network without faults. */
async function askFor(
  world: World,
  route: Route,
  { testId }: SchoolTest,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${world.teacher.token}` };
  return world.server.deliver({
    method: route.method,
    url: route.path.replace('{id}', testId),
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    payload: body === undefined ? null : JSON.stringify(body),
  });
}

/** The teacher shows the start code. */
export async function showCode(world: World): Promise<void> {
  const test = world.random.pick(world.tests);
  const { testId, code } = test;
  const { status } = await askFor(world, revealStartCode, test);
  const { showings } = world.record.school;
  const isFirst = showings.every((one) => one.code !== code);
  if (status === 200 && isFirst) showings.push({ testId, code, at: world.server.schoolTime() });
  world.history.note(`the code is shown: ${status}`);
}

/** The teacher takes another code; refused once an attempt has used the present one. */
export async function renewCode(world: World): Promise<void> {
  const { random, server, record, history } = world;
  const test = random.pick(world.tests);
  const { testId, code } = test;
  const at = server.schoolTime();
  const { status } = await askFor(world, renewStartCode, test);
  history.note(`another code: ${status}`);
  if (status !== 200) return;
  record.school.renewals.push({ testId, code, at });
  test.code = await setStartCode(server, testId, random, new Date(at));
}

/** Refused with its attempt: a refused second device leaves the attempt of the first one. */
const isGone = async ({ server }: World, attemptId: string): Promise<boolean> =>
  (await one(server.pool, 'select 1 from attempts where id = $1 and deleted_at is not null', [
    attemptId,
  ])) !== null;

/** The teacher accepts or refuses held begins, some of them for the second time. */
export async function decideBegins(world: World): Promise<void> {
  const { random, record, history, deleted } = world;
  const test = random.pick(world.tests);
  const { text } = await askFor(world, listHolds, test);
  const { items } = JSON.parse(text) as ReplyOf<typeof listHolds>;
  if (items.length === 0) return;
  const chosen = random.chance(0.5) ? items : [random.pick(items)];
  const attemptIds = [...new Set(chosen.map(({ attemptId }) => attemptId))];
  const decision = random.weighted([
    [3, 'accept'],
    [2, 'refuse'],
  ] as const);
  const { status } = await askFor(world, decideHolds, test, { attemptIds, decision });
  for (const attemptId of status === 200 ? attemptIds : []) {
    history.note(`${history.name('a', attemptId)}: ${decision}`);
    if (decision === 'accept') record.school.accepted.add(attemptId);
    if (decision === 'accept') deleted.delete(attemptId);
    if (decision === 'accept' || !(await isGone(world, attemptId))) continue;
    deleted.add(attemptId);
    record.onceDeleted.add(attemptId);
  }
}

/** The teacher gives another time for attempts that begin from now on. */
export async function changeTime(world: World): Promise<void> {
  const { random, server, history } = world;
  const test = random.pick(world.tests);
  const minutes = random.pick([5, 10, 20, 40]);
  await execute(server.pool, 'update tests set pass_seconds = $2 where id = $1', [
    test.testId,
    minutes * 60,
  ]);
  test.passTimes.push(minutes * MINUTE_MS);
  history.note(`an attempt takes ${minutes} min from now on`);
}

/** The teacher archives a test, or brings it back. */
export async function archive(world: World): Promise<void> {
  const { random, server, record, history } = world;
  const { testId } = random.pick(world.tests);
  const { archivings } = record.school;
  const isArchived = archivings.findLast((one) => one.testId === testId)?.isArchived !== true;
  await execute(server.pool, 'update tests set lifecycle = $2 where id = $1', [
    testId,
    isArchived ? 'archived' : 'active',
  ]);
  archivings.push({ testId, at: server.schoolTime(), isArchived });
  history.note(`the test is ${isArchived ? 'archived' : 'active again'}`);
}
