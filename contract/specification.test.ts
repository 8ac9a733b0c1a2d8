import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { SavedAnswers } from './answers.ts';
import { SignedIn, User } from './auth.ts';
import { HTTP_TIMEOUT_MS } from './limits.ts';
import type { Schema } from './route.ts';
import { routes } from './routes.ts';

const found = (call: string) => {
  const route = routes.find(({ method, path }) => `${method} ${path}` === call);
  if (!route) throw new Error(`${call} is not in the contract`);
  return route;
};

/** Names of the fields of an object; for a list those of its items. */
function fieldsOf(schema: Schema | undefined): string[] {
  const parts = schema as unknown as {
    type: string;
    entries?: Record<string, Schema>;
    item?: Schema;
    wrapped?: Schema;
  };
  if (parts.item) return fieldsOf(parts.item);
  if (parts.wrapped) return fieldsOf(parts.wrapped);
  const { items } = parts.entries ?? {};
  const isList = items !== undefined && 'total' in (parts.entries ?? {});
  return isList ? fieldsOf(items) : Object.keys(parts.entries ?? {});
}
const replyOf = (call: string) => fieldsOf(found(call).reply);

describe('section 7: the calls', () => {
  test.each([
    'POST /api/auth/login',
    'POST /api/auth/register',
    'GET /api/user/users',
    'GET /api/Test',
    'GET /api/Test/my',
    'GET /api/Test/passed',
    'GET /api/Test/created',
    'GET /api/Test/{id}/short',
    'GET /api/Test/{id}',
    'GET /api/Test/{id}/results',
    'GET /api/Test/results/{attemptId}',
    'GET /api/Test/results/{attemptId}/preview',
    'GET /api/Test/statistics/{id}',
    'POST /api/Test',
    'PUT /api/Test',
    'DELETE /api/Test/{id}',
    'GET /api/Test/userTest/{attemptId}',
    'GET /api/TestPassing/{id}/answers',
    'POST /api/TestPassing/{id}/start',
    'POST /api/TestPassing/{id}/answer',
    'POST /api/TestPassing/{id}/finish',
    'GET /api/ProjectCard/allShort',
    'GET /api/ProjectCard/myCards',
    'GET /api/ProjectCard/{id}',
    'POST /api/ProjectCard',
    'PUT /api/ProjectCard',
    'GET /api/Files/file',
    'GET /api/Files/{id}/files',
  ])('%s is called on exactly this path, and signed but for sign-in and registration', (call) => {
    expect(found(call).access === 'anyone').toBe(call.startsWith('POST /api/auth/'));
  });

  test('login has email and password, registration userName, email and password', () => {
    expect(fieldsOf(found('POST /api/auth/login').body)).toEqual(['email', 'password']);
    expect(fieldsOf(found('POST /api/auth/register').body)).toEqual(
      expect.arrayContaining(['userName', 'email', 'password']),
    );
  });

  test('start has no body, finish an empty one, a project travels as multipart form-data', () => {
    for (const call of ['start', 'finish'])
      expect(found(`POST /api/TestPassing/{id}/${call}`).bodyType).toBe('none');
    const added = found('POST /api/ProjectCard');
    const updated = found('PUT /api/ProjectCard');
    const texts = ['Name', 'Description', 'ShortDescription', 'LandingURL', 'OwnerName'];
    for (const route of [added, updated]) {
      expect(route.bodyType).toBe('form');
      expect(Object.keys(route.files ?? {}).sort()).toEqual(['Documentation', 'LogoPhoto']);
      expect(fieldsOf(route.body)).toEqual(expect.arrayContaining(texts));
    }
    expect(fieldsOf(updated.body)).toContain('Id');
  });

  test('lists accept the parameters of the specification', () => {
    expect(fieldsOf(found('GET /api/ProjectCard/allShort').query)).toEqual(
      expect.arrayContaining(['sortOrder', 'searchQuery']),
    );
    expect(fieldsOf(found('GET /api/Files/file').query)).toEqual(['path']);
  });
});

describe('section 3: the entities', () => {
  const item = ['id', 'owner', 'title', 'totalPoints', 'currentPoints', 'status'];
  const details = ['difficulty', 'subject', 'startDate', 'endDate', 'duration', 'leftAttempts'];
  const session = ['testId', 'userTestId', 'title', 'totalQuestions', 'questions', 'leftTestTime'];
  const row = ['userTestId', 'testName', 'testPoints', 'userId', 'userName', 'points'];
  test.each([
    ['GET /api/Test', item],
    ['GET /api/Test/my', item],
    ['GET /api/Test/passed', item],
    ['GET /api/Test/created', item],
    ['GET /api/Test/{id}/short', [...item, ...details]],
    ['GET /api/Test/{id}/results', ['testId', 'title', 'totalAttempts', 'attempts']],
    ['GET /api/Test/userTest/{attemptId}', ['userTestId', 'leftTestTime']],
    ['GET /api/Test/statistics/{id}', row],
    ['POST /api/TestPassing/{id}/start', session],
    ['GET /api/user/users', ['userId', 'userName']],
    [
      'GET /api/Files/{id}/files',
      ['logo', 'logoMimeType', 'documentation', 'documentationMimeType'],
    ],
    ['GET /api/Files/file', ['item1', 'item2']],
  ])('%s replies %j', (call, fields) => {
    expect(replyOf(call)).toEqual(expect.arrayContaining(fields));
  });

  test('a test is written with the fields of its payload', () => {
    const payload = [
      'name',
      'description',
      'theme',
      'difficulty',
      'attemptsCount',
      'startTestTime',
      'endTestTime',
      'passTestTime',
      'questions',
    ];
    for (const call of ['POST /api/Test', 'PUT /api/Test'])
      expect(fieldsOf(found(call).body), call).toEqual(expect.arrayContaining(payload));
  });

  test('a user has id, name, a role by number and the admin flag; a session a time at which it ends', () => {
    expect(fieldsOf(User)).toEqual(
      expect.arrayContaining(['userId', 'userName', 'role', 'isAdmin']),
    );
    const user = {
      userId: '01900000-0000-7000-8000-000000000000',
      userName: 'А',
      email: 'a@b.ru',
      isAdmin: false,
    };
    expect([0, 1, 2, 3].map((role) => v.is(User, { ...user, role }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(fieldsOf(SignedIn)).toEqual(expect.arrayContaining(['token', 'expiresAt']));
  });

  test('saved answers are in four groups, each entry with its question; ours for orders and gaps follow', () => {
    const groups = ['openAnswers', 'variantAnswers', 'complianceAnswers', 'fileAnswers'] as const;
    const added = ['orderingAnswers', 'gapsAnswers'];
    expect(fieldsOf(SavedAnswers).filter((name) => !added.includes(name))).toEqual(groups);
    for (const group of groups)
      expect(fieldsOf(SavedAnswers.entries[group]), group).toContain('questionId');
  });
});

test('section 9: the HTTP timeout is 5000 ms', () => {
  expect(HTTP_TIMEOUT_MS).toBe(5_000);
});
