import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { COMMON_ERRORS, ERRORS } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { buildApp } from '#server/app.ts';
import { type TestServer, testServer } from '#tests/server.ts';

interface Operation {
  operationId: string;
  parameters: { name?: string; in?: string; required?: boolean; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { description: string }>;
  security: unknown[];
}
interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

let server: TestServer;
let document: Document;
beforeAll(async () => {
  server = await testServer();
  document = (await server.raw({ url: '/api/openapi.json' })).body as Document;
});
afterAll(() => server.close());

const operationOf = (route: (typeof routes)[number]): Operation => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${route.method} ${route.path} is not in the document`);
  return operation;
};

test('the document has every route of the contract, with whole paths, and nothing else', () => {
  expect(document.openapi).toBe('3.1.0');
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const declared = routes.map(({ method, path }) => `${method} ${path}`);
  expect(listed.toSorted()).toEqual(declared.toSorted());
});

test.each(routes.map((route) => [route.name, route] as const))(
  '%s is described with its parameters, body, errors and sign-in',
  (_, route) => {
    const operation = operationOf(route);
    expect(operation.operationId).toBe(route.name);
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const described = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(new Set(described.map(({ name }) => name))).toEqual(new Set(inPath));
    expect(described.every(({ required }) => required)).toBe(true);
    expect(operation.security).toEqual(route.access === 'anyone' ? [] : [{ bearer: [] }]);
    const types = { bytes: 'application/octet-stream', form: 'multipart/form-data' } as const;
    const type =
      route.bodyType === 'bytes' || route.bodyType === 'form'
        ? types[route.bodyType]
        : 'application/json';
    const hasBody = route.body !== undefined || route.bodyType === 'bytes';
    expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(hasBody ? [type] : []);
    for (const code of [...COMMON_ERRORS, ...(route.errors ?? [])]) {
      const { status } = ERRORS[code as keyof typeof ERRORS];
      expect(operation.responses[`${status}`]?.description, code).toContain(code);
    }
  },
);

test('headers of the protocol are described where they are read', () => {
  const answer = routes.find(({ name }) => name === 'saveAnswer');
  if (!answer) throw new Error('no route saveAnswer');
  const names = operationOf(answer)
    .parameters.filter((parameter) => parameter.in === 'header')
    .map(({ name }) => name);
  expect(names).toContain('idempotency-key');
  expect(names).toContain('x-operation-sequence');
});

test('every reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  expect(references.length).toBeGreaterThan(0);
  for (const path of new Set(references)) {
    const found = path
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    expect(found, path).toBeDefined();
  }
});

test('its rendered page works under the policy: own scripts, nothing inline', async () => {
  const { token } = await server.user({ role: ROLE.admin });
  const page = await server.raw({ url: '/api/docs', token });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const scripts = [...page.text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes = '', inline = ''] of scripts) {
    expect(inline.trim()).toBe('');
    const src = /src="([^"]+)"/.exec(attributes)?.[1] ?? '';
    expect(src.startsWith('/api/docs/')).toBe(true);
    const script = await server.raw({ url: src, token });
    expect([src, script.status]).toEqual([src, 200]);
    expect(script.headers['content-type']).toContain('javascript');
  }
});

test('its rendered page is for administrators, unless the operator opens it; the document is for everybody', async () => {
  const [student, teacher] = [await server.user(), await server.user({ role: ROLE.teacher })];
  for (const url of ['/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/static/index.html']) {
    expect((await server.raw({ url })).status, url).toBe(401);
    for (const { token } of [student, teacher])
      expect((await server.raw({ url, token })).status, url).toBe(403);
  }
  const settings = { ...server.deps.settings, apiDocs: 'open' as const };
  const app = await buildApp({ ...server.deps, settings });
  expect((await app.inject('/api/docs')).statusCode).toBe(200);
  await app.close();
  expect((await server.raw({ url: '/api/openapi.json' })).status).toBe(200);
});
