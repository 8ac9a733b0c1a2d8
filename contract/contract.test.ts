import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { toJsonSchema } from '@valibot/to-json-schema';
import { expect, test } from 'vitest';
import { ERRORS } from './errors.ts';
import { HEADER } from './headers.ts';
import type { Route, Schema } from './route.ts';
import { routes } from './routes.ts';
import { OLDEST_WIRE_VERSION, WIRE_VERSION } from './version.ts';

const shape = (schema: Schema | undefined) =>
  schema ? toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' }) : null;

const describeRoute = (route: Route) => ({
  name: route.name,
  method: route.method,
  path: route.path,
  access: route.access,
  ownership: route.ownership,
  bodyType: route.bodyType ?? 'json',
  streams: route.streams ?? false,
  errors: (route.errors ?? []).toSorted(),
  params: shape(route.params),
  query: shape(route.query),
  headers: shape(route.headers),
  body: shape(route.body),
  reply: shape(route.reply),
});

test('the wire matches the agreed snapshot', () => {
  const described = routes.map(describeRoute).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const statuses = Object.entries(ERRORS).map(([code, { status }]) => `${code} ${status}`);
  const wire = { routes: described, headers: HEADER, errors: statuses.toSorted() };
  const hash = createHash('sha256').update(JSON.stringify(wire)).digest('hex');
  const agreed = readFileSync(new URL('wire.sha256', import.meta.url), 'utf8').trim();
  expect(
    hash,
    `The wire changed. If clients already in use cannot go on with it, raise WIRE_VERSION in contract/version.ts. Then write ${hash} into contract/wire.sha256.`,
  ).toBe(agreed);
});

test('every route has a unique name and URL', () => {
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
  expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
});

test('what anyone may read is the health of the server and the public keys of receipts', () => {
  const open = routes.filter(({ method, access }) => method === 'GET' && access === 'anyone');
  expect(open.map(({ path }) => path).toSorted()).toEqual([
    '/.well-known/exam-room-keys.json',
    '/healthz',
    '/readyz',
  ]);
});

test.each(routes.map((route) => [route.name, route] as const))(
  '%s names only errors that exist, and declares the params of its path',
  (_, route) => {
    for (const code of route.errors ?? []) expect(Object.keys(ERRORS)).toContain(code);
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = Object.keys(shape(route.params)?.properties ?? {});
    expect(declared.toSorted()).toEqual(inPath.toSorted());
  },
);

test('two versions back are supported', () => {
  expect(OLDEST_WIRE_VERSION).toBe(Math.max(1, WIRE_VERSION - 2));
});
