import { addTime, decideHeld, listHeld } from '#contract/attempts.ts';
import { updateTest } from '#contract/authoring.ts';
import { HEADER } from '#contract/headers.ts';
import { JSON_BODY_BYTES } from '#contract/limits.ts';
import { finishAttempt, getSavedAnswers, saveAnswer, startAttempt } from '#contract/passing.ts';
import { getAttemptPreview, getResult } from '#contract/results.ts';
import type { Route } from '#contract/route.ts';
import type { DisclosureTime, Visibility } from '#contract/tests.ts';
import { one } from '#server/db/query.ts';
import { makeTest, smallTest } from '#tests/school.ts';
import { someAnswer } from './answers.ts';
import type { CheatEvent } from './evidence.ts';
import type { Random } from './random.ts';
import { STUDENT, type SimulatedPerson } from './server.ts';
import type { World } from './world.ts';

/**
 * A student who calls the API without the app: takes the attempt over, finishes it blank, reads the
 * result, and sends guesses from every own stream, with invented ages. Sends lists that cost more than they
 * weigh to own and other attempts. The test, the random sequence and the calls are separate, so that the
 * schedule of the others does not change.
 */
export interface Cheat {
  readonly userId: string;
  readonly events: readonly CheatEvent[];
  /** Runs one action of the student or the teacher, the n-th of this step. */
  act(turn: number): Promise<void>;
}

const MINUTE_MS = 60_000;
/** Share of the acts with such an attack beside them. */
const LIST_ATTACKS = 0.05;
const MOMENTS: readonly DisclosureTime[] = ['atOnce', 'afterClose', 'never'];

interface OwnStream {
  readonly stream: string;
  readonly epoch: string;
  readonly beganAt: number;
}

interface Attempt {
  readonly attemptId: string;
  readonly streams: OwnStream[];
  isOver: boolean;
  finishedAt: number;
}

interface Guess {
  readonly attemptId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly bytes: number;
}

const USUAL: Visibility = {
  ownAnswers: 'atOnce',
  points: 'atOnce',
  correctAnswers: 'afterClose',
};
const HIDDEN: Visibility = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };

const someVisibility = (random: Random): Visibility =>
  random.pick([
    USUAL,
    HIDDEN,
    {
      ownAnswers: random.pick(MOMENTS),
      points: random.pick(MOMENTS),
      correctAnswers: random.pick(MOMENTS),
    },
  ]);

/** The writing time that a request claims; null: none. */
function claimedAt(headers: Readonly<Record<string, string>>, now: number): number | null {
  const age = headers[HEADER.age] ?? '0';
  if (age === 'unknown') return null;
  const byAge = now - Number(age);
  const seen = headers[HEADER.seenServerTime];
  return Math.min(now, Math.max(byAge, seen === undefined ? byAge : Date.parse(seen)));
}

type Call = (
  route: Route,
  ids: Readonly<Record<string, string>>,
  more?: { as?: string; headers?: Readonly<Record<string, string>>; body?: unknown },
) => Promise<Reply>;

/** Calls the API without the app. */
function createCall({ server }: World, token: string): Call {
  return async (route, ids, more = {}) => {
    const { body, as = token } = more;
    const { status, text } = await server.deliver({
      method: route.method,
      url: Object.entries(ids).reduce(
        (url, [name, id]) => url.replace(`{${name}}`, id),
        route.path,
      ),
      headers: {
        ...more.headers,
        authorization: `Bearer ${as}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      payload: body === undefined ? null : JSON.stringify(body),
    });
    const bytes = Buffer.byteLength(text);
    return { status, bytes, body: JSON.parse(text || '{}') as Reply['body'] };
  };
}

/** What the acts of one dishonest student share. */
interface Scene {
  readonly world: World;
  readonly testId: string;
  readonly call: Call;
  readonly events: CheatEvent[];
  readonly attempts: Attempt[];
  /** Of the present act. */
  random: Random;
}

const nameOf = ({ world }: Scene, attemptId: string): string =>
  `cheat’s ${world.history.name('a', attemptId)}`;

/** Starts, take-overs and the finish. */
function createOwnership(scene: Scene) {
  const { call, attempts, testId } = scene;
  const { server, history } = scene.world;

  async function begin(takeOver?: string): Promise<void> {
    const headers = {
      [HEADER.idempotencyKey]: scene.random.uuid(),
      [HEADER.stream]: scene.random.uuid(),
      ...(takeOver === undefined ? {} : { [HEADER.takeOver]: takeOver }),
    };
    const { status, body } = await call(startAttempt, { id: testId }, { headers });
    if (status !== 200) return;
    const { userTestId: attemptId, stream, epoch } = body;
    if (typeof attemptId !== 'string' || typeof stream !== 'string') return;
    const own = { stream, epoch: String(epoch), beganAt: server.schoolTime() };
    const known = attempts.find((one) => one.attemptId === attemptId);
    if (known) known.streams.push(own);
    else attempts.push({ attemptId, streams: [own], isOver: false, finishedAt: 0 });
    history.note(`${nameOf(scene, attemptId)}: epoch ${String(epoch)}`);
  }

  async function finish(attempt: Attempt): Promise<void> {
    const { attemptId, streams } = attempt;
    const owner = streams.at(-1);
    const headers = {
      [HEADER.idempotencyKey]: scene.random.uuid(),
      [HEADER.stream]: owner?.stream ?? '',
    };
    const { status } = await call(finishAttempt, { id: attemptId }, { headers });
    if (status === 200) attempt.finishedAt ||= server.schoolTime();
    history.note(`${nameOf(scene, attemptId)}: finish ${status}`);
  }

  return { begin, finish };
}

/** Reads everything that is visible after the end of the attempt. */
async function look(scene: Scene, attempt: Attempt): Promise<void> {
  const { attemptId } = attempt;
  const { call, events, world } = scene;
  const { body: result } = await call(getResult, { attemptId });
  attempt.isOver = result['end'] !== null;
  if (!attempt.isOver) return;
  const { body: preview } = await call(getAttemptPreview, { attemptId });
  const shows = (preview['shows'] ?? {}) as Record<string, boolean>;
  const saved = (await call(getSavedAnswers, { id: attemptId })).body;
  const isShown =
    result['score'] !== null ||
    Object.values(shows).includes(true) ||
    Object.values(saved).some((group) => (group as unknown[]).length > 0);
  if (!isShown) return;
  events.push({ kind: 'saw', attemptId });
  world.history.note(`${nameOf(scene, attemptId)}: sees ${String(result['score'])} points`);
}

/** An age and a seen server time: true, missing or false. */
function someClaim(
  scene: Scene,
  { beganAt }: OwnStream,
  { finishedAt }: Attempt,
): Record<string, string> {
  const now = scene.world.server.schoolTime();
  const since = now - beganAt;
  const sinceFinish = finishedAt === 0 ? 0 : now - finishedAt;
  const age = scene.random.pick([
    null,
    'unknown',
    '0',
    String(scene.random.between(0, since)),
    String(scene.random.between(Math.min(sinceFinish, since), since)),
    String(since + scene.random.between(2 * MINUTE_MS, 200 * MINUTE_MS)),
    String(since + 3_000 * MINUTE_MS),
  ]);
  const seen = scene.random.pick([null, null, null, beganAt, now, now + MINUTE_MS, 0]);
  return {
    ...(age === null ? {} : { [HEADER.age]: age }),
    ...(seen === null ? {} : { [HEADER.seenServerTime]: new Date(seen).toISOString() }),
  };
}

/** Answers from every own stream, and their repeats. */
function createGuessing(scene: Scene) {
  const { call, events } = scene;
  const { server, history } = scene.world;
  const guesses: Guess[] = [];

  async function send(guess: Guess): Promise<void> {
    const { attemptId, headers, body } = guess;
    const reply = await call(saveAnswer, { id: attemptId }, { headers, body });
    const operationId = headers[HEADER.idempotencyKey] ?? '';
    const outcome = String(reply.body['outcome'] ?? reply.body['code']);
    const claim = claimedAt(headers, server.schoolTime());
    events.push({ kind: 'sent', attemptId, operationId, outcome, claimedAt: claim });
    history.note(`${nameOf(scene, attemptId)}: ${history.name('o', operationId)} is ${outcome}`);
  }

  async function guess(attempt: Attempt): Promise<void> {
    const { attemptId, streams } = attempt;
    const chosen = scene.random.pick(streams);
    const body = someAnswer(
      scene.random.pick(smallTest.filter(({ kind }) => kind !== 'file')),
      scene.random,
    );
    const headers = {
      [HEADER.idempotencyKey]: scene.random.uuid(),
      [HEADER.stream]: chosen.stream,
      [HEADER.epoch]: chosen.epoch,
      ...someClaim(scene, chosen, attempt),
    };
    const made = { attemptId, headers, body };
    guesses.push(made);
    await send(made);
  }

  /** Repeats an earlier request: with a greater age, sometimes under another stream. */
  async function replay(attempt: Attempt): Promise<void> {
    const own = guesses.filter(({ attemptId }) => attemptId === attempt.attemptId);
    if (own.length === 0) return;
    const { headers, ...rest } = scene.random.pick(own);
    const chosen = scene.random.pick(attempt.streams);
    const place = { [HEADER.stream]: chosen.stream, [HEADER.epoch]: chosen.epoch };
    const { [HEADER.age]: _age, [HEADER.seenServerTime]: _seen, ...others } = headers;
    const changed = {
      ...others,
      ...(scene.random.chance(0.3) ? place : {}),
      ...someClaim(scene, chosen, attempt),
    };
    await send({ ...rest, headers: changed });
  }

  return { guess, replay };
}

/** Lists in one attack. With all of them an account exceeds its bytes of answers a minute. */
const FEW_LISTS = 4;
const MANY_LISTS = 40;

/** The longest list of parts that a body may have: `{}` and a comma each. */
const listOf = (questionId: string): string => {
  const [start, end] = [`{"kind":"gaps","questionId":"${questionId}","gaps":[{}`, ']}'];
  const parts = Math.floor((JSON_BODY_BYTES - start.length - end.length) / ',{}'.length);
  return `${start}${',{}'.repeat(parts)}${end}`;
};

/** Sends such lists at once to the newest own attempt and to that of an honest student. */
async function attackByLists({ world, call, events, attempts }: Scene, random: Random) {
  const { server, students, history } = world;
  const ids = students.map(({ userId }) => userId);
  const theirs = await one<{ id: string }>(
    server.pool,
    'select id from attempts where user_id = any($1) order by started_at desc, id limit 1',
    [ids],
  );
  const count = random.chance(0.1) ? MANY_LISTS : FEW_LISTS;
  const body: unknown = JSON.parse(listOf(random.pick(smallTest).questionId));
  const send = async (attemptId: string, isOwn: boolean) => {
    const headers = { [HEADER.idempotencyKey]: random.uuid(), [HEADER.stream]: random.uuid() };
    const { status, bytes } = await call(saveAnswer, { id: attemptId }, { headers, body });
    events.push({ kind: 'attacked', attemptId, isOwn, status, bytes });
  };
  const own = attempts.at(-1)?.attemptId;
  const lists = Array.from({ length: count }, () => [
    ...(own === undefined ? [] : [send(own, true)]),
    ...(theirs === null ? [] : [send(theirs.id, false)]),
  ]);
  await Promise.all(lists.flat());
  history.note(`cheat: ${count} lists to each of ${lists[0]?.length ?? 0} attempts`);
}

/** What the teacher does with the test and its attempts. */
function createTeaching(scene: Scene) {
  const { call, events, testId } = scene;
  const { server, history, teacher } = scene.world;

  async function changeVisibility(): Promise<void> {
    const test = await one<{ version: number }>(
      server.pool,
      'select version from tests where id = $1',
      [testId],
    );
    const visibility = someVisibility(scene.random);
    const body = { id: testId, version: test?.version ?? 0, visibility };
    const { status } = await call(updateTest, {}, { as: teacher.token, body });
    history.note(`cheat’s test shows ${Object.values(visibility).join(', ')}: ${status}`);
  }

  async function addMinutes({ attemptId }: Attempt): Promise<void> {
    const body = { minutes: scene.random.between(1, 10) };
    const { status } = await call(addTime, { attemptId }, { as: teacher.token, body });
    if (status !== 200) return;
    events.push({ kind: 'minutes', attemptId });
    history.note(`${nameOf(scene, attemptId)}: ${body.minutes} min more`);
  }

  async function decide({ attemptId }: Attempt): Promise<void> {
    const { body } = await call(listHeld, { attemptId }, { as: teacher.token });
    const items = (body['items'] ?? []) as { operationId: string }[];
    if (items.length === 0) return;
    const decision = scene.random.pick(['accepted', 'refused']);
    const operationIds = [scene.random.pick(items).operationId];
    await call(decideHeld, { attemptId }, { as: teacher.token, body: { operationIds, decision } });
    history.note(`${nameOf(scene, attemptId)}: a held one ${decision}`);
  }

  return { changeVisibility, addMinutes, decide };
}

const makeCheatTest = (world: World, person: SimulatedPerson, random: Random): Promise<string> =>
  makeTest(
    {
      pool: world.server.pool,
      deps: world.server.deps,
      clock: { now: new Date(world.timeline.now()) },
    },
    world.teacher.person,
    {
      students: [person],
      attemptsCount: 50,
      passMinutes: random.pick([5, 20]),
      windowMinutes: random.pick([0, 15]),
      endTime: random.chance(0.3) ? new Date(world.timeline.now() + 30 * MINUTE_MS) : null,
      visibility: someVisibility(random),
    },
  );

export async function createCheat(world: World): Promise<Cheat> {
  const random = world.random.fork('cheat');
  const person = await world.server.addPerson(STUDENT, 'Хитрый Ученик');
  const { token } = await world.server.signIn(person);
  const testId = await makeCheatTest(world, person, random);
  /** Lets the time run out and sends false ages in the window after it. */
  const isPatient = random.chance(0.3);
  const attempts: Attempt[] = [];
  const events: CheatEvent[] = [];
  const scene: Scene = { world, testId, call: createCall(world, token), events, attempts, random };
  const { begin, finish } = createOwnership(scene);
  const { guess, replay } = createGuessing(scene);
  const { changeVisibility, addMinutes, decide } = createTeaching(scene);

  return {
    userId: person.userId,
    events,
    act: async (turn) => {
      // A sequence of its own: the other acts stay as they are.
      const ofLists = world.random.fork(`cheat’s lists ${turn}`);
      if (ofLists.chance(LIST_ATTACKS)) await attackByLists(scene, ofLists);
      scene.random = world.random.fork(`cheat ${turn}`);
      const attempt = attempts.at(-1);
      if (!attempt) return begin();
      const weights = attempt.isOver
        ? { begin: 2, finish: 0, takeOver: 0, look: 10, guess: 40, replay: 30 }
        : { begin: 0, finish: isPatient ? 0 : 8, takeOver: 10, look: 10, guess: 12, replay: 8 };
      const step = scene.random.weighted([
        [weights.begin, () => begin()],
        [weights.finish, () => finish(attempt)],
        [weights.takeOver, () => begin(attempt.attemptId)],
        [weights.look, () => look(scene, attempt)],
        [weights.guess, () => guess(attempt)],
        [weights.replay, () => replay(attempt)],
        [2, changeVisibility],
        [attempt.isOver ? 8 : 1, () => addMinutes(attempt)],
        [2, () => decide(scene.random.pick(attempts))],
      ] as const);
      await step();
    },
  };
}
