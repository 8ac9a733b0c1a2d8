import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listGrading } from '#contract/grading.ts';
import { ANSWER_TEXT_CHARACTERS, JSON_BODY_BYTES } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { getAttemptPreview, getResult } from '#contract/results.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { makeScene, sampleCall, type Scene } from '#tests/calls.ts';
import { cpuMs } from '#tests/cpu.ts';
import { HOSTILE_BODIES, plainText } from '#tests/hostile-bodies.ts';
import { makeSchool, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer, urlOf } from '#tests/server.ts';
import { type ListField, listFields, textFields, type TextField } from '#tests/text-fields.ts';
import { IS_WHOLE, shareInTurn } from '#tests/whole.ts';

/** The allowed cost of a hostile text, in multiples of a plain text of its size. */
const RATIO = 8;
/** A few of the worst, for a text that another field of the contract has tested in full. */
const KNOWN_WORST = ['combining marks out of order', 'blanks between letters'];
/** Maximum bytes of a request that Node reads before its body. */
const HEAD_BYTES = 15_000;
/** Maximum bytes of one text of a form. */
const FORM_FIELD_BYTES = 60_000;

type PartName = 'query' | 'headers' | 'body';
type Parts = Partial<Record<PartName | 'params', Record<string, unknown>>>;

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await testServer({ settings: { registration: 'closed' } });
  scene = await makeScene(server);
});
afterAll(() => server.close());

const insider = (route: Route): TestUser =>
  route.access === 'admin'
    ? scene.users.admin
    : route.access === 'teacher'
      ? scene.users.teacher
      : scene.users.student;

/** CPU time of one call, milliseconds. */
async function costOf(route: Route, parts: Parts): Promise<number> {
  // Within the calls that one account may make in a minute.
  server.clock.advance(50);
  const { headers, ...input } = parts;
  const options = {
    ...(route.access === 'anyone' ? {} : { as: insider(route) }),
    ...(headers ? { headers: headers as Record<string, string> } : {}),
  };
  const begin = cpuMs();
  await server.send(route, input, options);
  return cpuMs() - begin;
}

/** A valid call except for one part, which contains the text. */
function callWith(route: Route, part: PartName, filled: unknown, top: string): Parts {
  const sample = sampleCall(route, scene, server) as Parts;
  const value = filled as Record<string, unknown>;
  // One of several shapes is sent whole.
  return {
    ...sample,
    [part]: top.startsWith('<') ? value : { ...sample[part], [top]: value[top] },
  };
}

interface Size {
  readonly characters: number;
  readonly times: number;
  /** Whether the contract passes it to the handler. */
  readonly isGood: boolean;
}

const largestOf = (route: Route, part: PartName): number => {
  if (part === 'query') return HEAD_BYTES / 6;
  if (part === 'headers') return HEAD_BYTES;
  const bytes = route.bodyType === 'form' ? FORM_FIELD_BYTES : (route.bodyBytes ?? JSON_BODY_BYTES);
  return (bytes * 0.9) / 2;
};

/** As long as the contract allows, as often as allowed, and as long as a body may be. */
function sizesOf(route: Route, part: PartName, { bounds, times }: TextField): Size[] {
  const largest = Math.floor(largestOf(route, part));
  const own = bounds.find((most) => most < largest);
  const often = Math.min(times, Math.floor(largest / ((own ?? largest) + 200)));
  const longer = [...bounds.slice(1), largest].map((characters) => ({
    characters,
    times: 1,
    isGood: own === undefined,
  }));
  if (own === undefined) return longer;
  return [
    { characters: own, times: 1, isGood: true },
    ...(often > 1 ? [{ characters: own, times: often, isGood: true }] : []),
    ...longer,
  ];
}

/** Truncated to the bytes of the plain text that it is compared with. */
function fitted(text: string, characters: number): string {
  const bytes = (one: string) => Buffer.byteLength(JSON.stringify(one));
  const weight = bytes(text) / bytes(plainText(characters));
  return weight > 1 ? text.slice(0, Math.floor(characters / weight)) : text;
}

// oxlint-disable-next-line no-control-regex -- what the head of a request can hold
const isForHeaders = (text: string) => !/[^\t\u0020-\u007E]/.test(text);

/** One field at one of its largest sizes. */
interface Trial extends Size {
  readonly what: string;
  readonly route: Route;
  readonly texts: readonly string[];
  readonly call: (text: string) => Parts;
}

/**
 * The texts to send: all of them where a schema is met first, one at a time; where it was met before, only what
 * reaches its handler, with the first list of each call.
 */
function textsFor(
  { isGood, times, characters }: Size,
  { isMet, isFirstList }: { isMet: boolean; isFirstList: boolean },
): readonly string[] {
  if (isMet && !isGood) return [];
  if (times > 1) return isMet && !isFirstList && !IS_WHOLE ? [] : KNOWN_WORST.slice(0, 1);
  if (isMet || !isGood || characters > JSON_BODY_BYTES) return KNOWN_WORST;
  return Object.keys(HOSTILE_BODIES);
}

/** Every text of every call. */
function* trials(): Generator<Trial> {
  const met = new Map<unknown, Set<string>>();
  const withList = new Set<Route>();
  for (const route of routes)
    for (const part of ['query', 'headers', 'body'] as const)
      for (const field of textFields(route[part])) {
        const top = field.path.split('.')[0] ?? '';
        for (const size of sizesOf(route, part, field)) {
          const kind = `${size.isGood} ${size.times > 1}`;
          const kinds = met.get(field.schema) ?? new Set();
          const isFirstList = size.times > 1 && !withList.has(route);
          if (isFirstList) withList.add(route);
          const texts = textsFor(size, { isMet: kinds.has(kind), isFirstList }).filter(
            (name) => part !== 'headers' || isForHeaders(HOSTILE_BODIES[name]?.(100) ?? ''),
          );
          met.set(field.schema, kinds.add(kind));
          if (texts.length === 0) continue;
          yield {
            ...size,
            route,
            texts,
            what: `${route.name} ${field.path}, ${size.times} × ${size.characters}`,
            call: (text) => callWith(route, part, field.fill(text, size.times), top),
          };
        }
      }
}

const least = async (times: number, measure: () => Promise<number>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) best = Math.min(best, await measure());
  return best;
};

/** The median of valid calls. */
async function usualCost(): Promise<number> {
  const costs: number[] = [];
  for (const route of routes.filter(({ method }) => method === 'GET').slice(0, 30))
    costs.push(await costOf(route, sampleCall(route, scene, server) as Parts));
  return costs.toSorted((one, other) => one - other)[Math.floor(costs.length / 2)] ?? 0;
}

test('no text of any call costs more than a small multiple of a plain one of its size', async () => {
  const slow: string[] = [];
  // The garbage of other calls is collected during one that does little itself.
  const usual = await usualCost();
  for (const { what, route, texts, characters, call } of shareInTurn([...trials()], 12)) {
    const plain = call(plainText(characters));
    let plainCost = await costOf(route, plain);
    for (const name of texts) {
      const hostile = fitted(HOSTILE_BODIES[name]?.(characters) ?? '', characters);
      const parts = call(hostile);
      const isSlow = (cost: number) => cost > RATIO * Math.max(plainCost, usual);
      if (!isSlow(await costOf(route, parts))) continue;
      plainCost = Math.max(plainCost, await least(3, () => costOf(route, plain)));
      const cost = await least(3, () => costOf(route, parts));
      if (isSlow(cost)) slow.push(`${what}: ${name}, ${Math.round(cost / plainCost)}`);
    }
  }
  expect(slow).toEqual([]);
}, 600_000);

/** Bodies that are wide, deep or long, of at most so many bytes. */
const SHAPES: Readonly<Record<string, (bytes: number) => unknown>> = {
  'many objects': (bytes) => Array.from({ length: bytes / 3 }, () => ({})),
  'many nulls': (bytes) => Array.from({ length: bytes / 5 }, () => null),
  'many short texts': (bytes) => Array.from({ length: bytes / 20 }, () => 'шестнадцать'),
  'objects of two fields': (bytes) =>
    Array.from({ length: bytes / 40 }, () => ({ id: 'a', text: 'шестнадцать' })),
  'lists of lists': (bytes) =>
    Array.from({ length: bytes / 1_000 }, () =>
      Array.from({ length: 50 }, () => ({ id: 'шестнадцать' })),
    ),
};

const manyNames = (bytes: number) =>
  Object.fromEntries(Array.from({ length: bytes / 24 }, (_, index) => [`name-${index}`, 'аб']));

/** JSON of so many levels: too deep for `JSON.stringify` of a value. */
const deep = (bytes: number, [open, close]: readonly [string, string]) => {
  const levels = Math.floor(bytes / (open.length + close.length + 1));
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
};

/** CPU time of one call with a body of raw JSON, milliseconds. */
async function costOfBody(route: Route, payload: string): Promise<number> {
  server.clock.advance(60_000);
  const { params = {}, query = {} } = sampleCall(route, scene, server) as Parts;
  const request = {
    method: route.method,
    url: urlOf(route, { params, query }),
    headers: { 'content-type': 'application/json' },
    payload,
    ...(route.access === 'anyone' ? {} : { token: insider(route).token }),
  };
  const begin = cpuMs();
  const { status, text } = await server.raw(request);
  const cost = cpuMs() - begin;
  expect(status, `${route.name}: ${text.slice(0, 200)}`).toBeLessThan(500);
  if (status >= 400) expect(Buffer.byteLength(text), route.name).toBeLessThan(20_480);
  return cost;
}

/** What a list within its bounds may hold: wrong items, which cost an issue each. */
const ITEMS: Readonly<Record<string, unknown>> = { objects: {}, nulls: null, lists: [] };

/** A list in lists, all within their bounds, with as many items together as the body's size allows. */
function crowded({ max, fill }: ListField, item: unknown, bytes: number): unknown {
  const items = Array.from({ length: Math.min(max, Math.floor(bytes / 8)) }, () => item);
  let best = fill(items);
  for (let times = 2; times <= 1_000; times = Math.ceil(times * 1.2)) {
    const larger = fill(items, times);
    if (JSON.stringify(larger).length > bytes) break;
    best = larger;
  }
  return best;
}

/** Every hostile body of a route, by name. A list that another route has as well is tried once. */
function* hostileBodies(route: Route, met: Set<unknown>): Generator<[string, string]> {
  const bytes = (route.bodyBytes ?? JSON_BODY_BYTES) * 0.9;
  const { body = {} } = sampleCall(route, scene, server) as Parts;
  yield ['levels of lists', `{"a":${deep(bytes, ['[', ']'])}}`];
  yield ['levels of objects', deep(bytes, ['{"a":', '}'])];
  yield ['many unknown names', JSON.stringify({ ...body, ...manyNames(bytes) })];
  for (const list of listFields(route.body)) {
    const { path, schema, depth, fill } = list;
    const top = path.split('.')[0] ?? '';
    const whole = (filled: unknown) =>
      JSON.stringify(
        top.startsWith('<') ? filled : { ...body, [top]: (filled as Record<string, unknown>)[top] },
      );
    if (!met.has(schema))
      for (const [name, make] of Object.entries(SHAPES))
        yield [`${path}: ${name}`, whole(fill(make(bytes) as unknown[]))];
    met.add(schema);
    const nested = `${depth} ${JSON.stringify([path.split('.').at(-1), list.max])}`;
    if (depth === 0 || met.has(nested)) continue;
    met.add(nested);
    for (const [name, item] of Object.entries(ITEMS))
      yield [`${path}: ${name} within the bounds`, whole(crowded(list, item, bytes))];
  }
}

test('no shape of a body costs more than a small multiple of a plain one of its size', async () => {
  const table: { call: string; name: string; bytes: number; ratio: number }[] = [];
  const slow: string[] = [];
  const usual = await usualCost();
  const met = new Set<unknown>();
  const withJson = routes.filter(({ body, bodyType }) => body && (bodyType ?? 'json') === 'json');
  for (const route of shareInTurn(withJson, 12)) {
    const { body } = sampleCall(route, scene, server) as Parts;
    const plainOf = (bytes: number) =>
      JSON.stringify({ ...body, unknown: plainText(Math.floor(bytes / 2)) });
    const largest = (route.bodyBytes ?? JSON_BODY_BYTES) * 0.9;
    const largestCost = await costOfBody(route, plainOf(largest));
    for (const [name, payload] of hostileBodies(route, met)) {
      const isSlow = (cost: number, plainCost: number) => cost > RATIO * Math.max(plainCost, usual);
      const bytes = Buffer.byteLength(payload);
      const cost = await costOfBody(route, payload);
      const expected = (largestCost * bytes) / largest;
      table.push({ call: route.name, name, bytes, ratio: cost / Math.max(expected, usual) });
      if (!isSlow(cost, expected)) continue;
      const plainCost = await least(3, () => costOfBody(route, plainOf(bytes)));
      const again = await least(3, () => costOfBody(route, payload));
      if (isSlow(again, plainCost))
        slow.push(`${route.name} ${name}: ${Math.round(again / plainCost)}`);
    }
  }
  // For people: which bodies cost most.
  await mkdir('reports', { recursive: true });
  await writeFile(
    'reports/body-costs.json',
    JSON.stringify(
      table.toSorted((one, other) => other.ratio - one.ratio),
      null,
      1,
    ),
  );
  expect(slow).toEqual([]);
}, 600_000);

/** Texts with the most growth, or the longest sorting, when answers are compared. */
const WORST_ANSWERS = [
  'combining marks out of order',
  'half-width marks out of order',
  'blanks between letters',
];
const QUESTIONS = 8;

/** CPU time of a finish and of the reads after it, by call. */
async function costsOfAttempt(text: string): Promise<Record<string, number>> {
  const questions = Array.from({ length: QUESTIONS }, (_, index): Question => ({
    questionId: server.deps.newId(),
    kind: 'open',
    input: 'text',
    text: `Вопрос ${index}`,
    points: 1,
    accepted: [
      { text: '9,8', share: 1 },
      { text: 'Ньютон', share: 0.5 },
    ],
    tolerance: 0,
  }));
  const { student, teacher, testId } = await makeSchool(server, { questions });
  const device = new TestDevice(server, student);
  await device.start(testId);
  for (const { questionId } of questions) await device.answer({ questionId, kind: 'open', text });
  const costs: Record<string, number> = {};
  const measure = async (name: string, call: () => Promise<{ status: number }>) => {
    const begin = cpuMs();
    const { status } = await call();
    costs[name] = cpuMs() - begin;
    expect([name, status]).toEqual([name, 200]);
  };
  const params = { attemptId: device.attemptId };
  const asTeacher = { as: teacher };
  await measure('finish', () => device.finish());
  await measure('result', () => server.send(getResult, { params }, { as: student }));
  await measure('preview', () => server.send(getAttemptPreview, { params }, { as: student }));
  const ofTest = { params: { id: testId }, query: { show: 'all' as const } };
  await measure('grading', () => server.send(listGrading, ofTest, asTeacher));
  await measure('analysis', () =>
    server.send(getAnalysis, { params: { id: testId }, query: {} }, asTeacher),
  );
  return costs;
}

test.each(WORST_ANSWERS)(
  'an attempt answered with %s costs a small multiple of a plain one to finish and to read',
  async (name) => {
    const hostile = fitted(
      HOSTILE_BODIES[name]?.(ANSWER_TEXT_CHARACTERS) ?? '',
      ANSWER_TEXT_CHARACTERS,
    );
    const plain = await costsOfAttempt(plainText(ANSWER_TEXT_CHARACTERS));
    const costs = [await costsOfAttempt(hostile), await costsOfAttempt(hostile)];
    const usual = await usualCost();
    const slow = Object.entries(plain).filter(
      ([call, cost]) =>
        Math.min(...costs.map((one) => one[call] ?? 0)) > RATIO * Math.max(cost, usual),
    );
    expect(slow).toEqual([]);
  },
);
