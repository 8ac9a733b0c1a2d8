import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeItem } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { finishAttempt } from '#contract/passing.ts';
import { routes } from '#contract/routes.ts';
import { expectedOf } from '#tests/allowed.ts';
import { makeScene, sampleCall, type Scene } from '#tests/calls.ts';
import {
  makeClassmate,
  makeSibling,
  makeStrangers,
  readForeignRows,
  type ForeignIds,
} from '#tests/foreign-worlds.ts';
import { callWith, idFields, valueAt, type IdField, type IdKind } from '#tests/id-fields.ts';
import { Q, smallTest } from '#tests/school.ts';
import { type TestServer, testServer } from '#tests/server.ts';
import { shareInTurn } from '#tests/whole.ts';

let server: TestServer;
let strangers: ForeignIds;
beforeAll(async () => {
  server = await testServer();
  strangers = await makeStrangers(server);
});
afterAll(() => server.close());

type Role = 'student' | 'teacher' | 'admin';
const ROLES: readonly Role[] = ['student', 'teacher', 'admin'];
type Parts = Record<string, Record<string, unknown> | undefined>;

/** What an id of is never looked up, and calls that nobody answers here. */
const isTried = ({ kind, route }: IdField) =>
  kind !== 'passage' && !route.path.startsWith('/api/Ai/');

const fields = idFields(routes).filter(isTried);

/** Kinds of ids in another test of the same people, and in a classmate's attempt on the same test. */
const SIBLING_KINDS = new Set<IdKind>(['attempt', 'operation', 'file', 'stream', 'question']);
const CLASSMATE_KINDS = new Set<IdKind>(['operation', 'file', 'stream']);

const ANYBODY = 'anybody of the school may be named';
const ANY_FOR_ADMINS = 'administrators may name any';
/** Fields that legitimately contain another person's id, by role. */
const LAWFUL: Readonly<Record<string, Partial<Record<Role, string>>>> = {
  'addMembers body.userIds.0': { teacher: ANYBODY, admin: ANYBODY },
  'updateTest body.assignedUserIds.0': { teacher: ANYBODY, admin: ANYBODY },
  'updateTest body.personalTerms.0.userId': { teacher: ANYBODY, admin: ANYBODY },
  'updateTest body.assignedGroupIds.0': { admin: ANY_FOR_ADMINS },
  'changeTestShares body.given.0.userId': { teacher: ANYBODY, admin: ANYBODY },
  'changeGroupShares body.given.0.userId': { teacher: ANYBODY, admin: ANYBODY },
  'changeBankShares body.given.0.userId': { teacher: ANYBODY, admin: ANYBODY },
  'updateTest body.id': { admin: ANY_FOR_ADMINS },
  'updateProject body.Id': { admin: ANY_FOR_ADMINS },
  'getFile query.path': { admin: ANY_FOR_ADMINS },
  'eraseUser query.successorId': { admin: ANY_FOR_ADMINS },
  'handOverTeaching body.successorId': { admin: ANY_FOR_ADMINS },
  'listAudit query.actorId': { admin: ANY_FOR_ADMINS },
  'listAudit query.personId': { admin: ANY_FOR_ADMINS },
  'exportAudit query.actorId': { admin: ANY_FOR_ADMINS },
  'exportAudit query.personId': { admin: ANY_FOR_ADMINS },
};

const FILE_ANSWER = {
  questionId: Q.file,
  kind: 'file',
  fileId: null,
  name: 'решение.jpg',
  size: 2_014,
  mimeType: 'image/jpeg',
  sha256: 'a'.repeat(64),
};
const NEW_QUESTION = '00000000-0000-4000-8000-0000000000aa';
const ORIGINS: Readonly<Record<string, object>> = {
  entryId: { kind: 'bank' },
  templateId: { kind: 'template', seed: 'семя', number: 0 },
};

/** The parts of a valid call of the route, with what surrounds the field. */
function surrounded(field: IdField, scene: Scene): Parts {
  const parts = structuredClone(sampleCall(field.route, scene, server)) as Parts;
  const { path, route } = field;
  const body = parts['body'] ?? {};
  const name = path.at(-1) ?? '';
  const question = { ...smallTest[1], questionId: NEW_QUESTION, origin: ORIGINS[name] };
  if (path[0] === 'questions') body['questions'] = [question];
  if (path[0] === 'question' && 'question' in body && route.name !== 'correctKey')
    body['question'] = question;
  if (path[0] === 'question' && route.name === 'correctKey')
    body['question'] = { ...smallTest[1], origin: ORIGINS[name] };
  if (path[0] === 'changed') {
    body['changed'] = [question];
    body['order'] = [question.questionId];
  }
  if (path[0] === 'personalTerms')
    body['personalTerms'] = [{ userId: '', extraMinutes: 5, attemptsCount: null }];
  if (name === 'fileId' && route.name === 'saveAnswer') parts['body'] = { ...FILE_ANSWER };
  // A begin is read as one only with everything that it needs.
  if (name === HEADER.offer)
    parts['headers'] = {
      [HEADER.stream]: server.deps.newId(),
      [HEADER.idempotencyKey]: server.deps.newId(),
      [HEADER.offerProof]: Buffer.alloc(32).toString('base64url'),
    };
  const rescued = (body['answers'] as { answer: object }[] | undefined)?.[0];
  if (name === 'fileId' && rescued) rescued.answer = { ...FILE_ANSWER };
  if (path.includes('more')) {
    const answer = (rescued?.answer ?? parts['body']) as Record<string, unknown>;
    const { name: title, size, mimeType, sha256 } = FILE_ANSWER;
    answer['fileId'] = scene.fileId;
    answer['more'] = [{ name: title, size, mimeType, sha256 }];
  }
  return parts;
}

/** An id of the caller's own world for a field that a valid call leaves out. */
const ownId = (scene: Scene, kind: IdKind): string =>
  ({
    test: scene.testId,
    attempt: scene.attemptId,
    offer: scene.offerId,
    operation: scene.heldId,
    stream: server.deps.newId(),
    file: scene.fileId,
    question: Q.single,
    passage: server.deps.newId(),
    group: scene.groupId,
    entry: scene.entryId,
    template: scene.templateId,
    project: scene.projectId,
    session: scene.sessionId,
    passkey: scene.passkeyId,
    user: scene.student.userId,
    device: scene.deviceId,
    key: server.deps.newId(),
  })[kind];

async function call(field: IdField, scene: Scene, role: Role, id: string) {
  const { headers, ...input } = callWith(surrounded(field, scene), field, id) as Parts;
  // The order names what is changed.
  const { body } = input;
  if (field.title === 'saveDraft body.changed.0.questionId') input.body = { ...body, order: [id] };
  return server.send(field.route, input, {
    as: scene.users[role],
    ...(headers ? { headers: headers as Record<string, string> } : {}),
  });
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const CHANCE = /"(seal|password|email)":"[^"]*"/g;
/** A reply without what is new in every one, and without the order of a mixed column. */
const plain = ({ status, text }: { status: number; text: string }) => [
  status,
  ...text
    .replaceAll(UUID, '<id>')
    .replaceAll(TIME, '<time>')
    .replaceAll(CHANCE, '"$1":"<chance>"')
    .split(/[{}[\]]/)
    .toSorted(),
];

interface Setting {
  readonly scene: Scene;
  readonly worlds: readonly ForeignIds[];
}

/** The caller's world and those of others that no call has changed, by `settingKey`. */
const unchanged = new Map<string, Setting>();

const settingKey = ({ route, kind }: IdField) =>
  [route.ownership, kind, route === gradeItem].join(' ');

/** The caller's world, and foreign ones: ids bound to a test have to belong to that test. */
async function makeSetting(field: IdField): Promise<Setting> {
  const { route, kind } = field;
  const used = unchanged.get(settingKey(field));
  if (used) return used;
  const scene = await makeScene(server);
  // Only an ended attempt is graded.
  if (route === gradeItem)
    await server.send(finishAttempt, { params: { id: scene.attemptId } }, { as: scene.student });
  const isOfAttempt = /attempt(Owner|Reader|Grader|Editor)/.test(route.ownership);
  const isOfTest = isOfAttempt || /test(Reader|Viewer|Grader|Editor|Owner)/.test(route.ownership);
  const worlds = [strangers];
  if (isOfTest && SIBLING_KINDS.has(kind)) worlds.push(await makeSibling(server, scene));
  if (isOfAttempt && CLASSMATE_KINDS.has(kind)) worlds.push(await makeClassmate(server, scene));
  const setting = { scene, worlds };
  unchanged.set(settingKey(field), setting);
  return setting;
}

const matrix = fields.flatMap((field) =>
  ROLES.filter((role) => expectedOf(field.route, role) === 'in').map(
    (role) => [field.title, role, field] as const,
  ),
);

test('the contract has places for ids, and each role has some', () => {
  for (const role of ROLES)
    expect(matrix.filter(([, of]) => of === role).length, role).toBeGreaterThan(10);
  const titles = new Set(matrix.map(([title]) => title));
  expect(Object.keys(LAWFUL).filter((title) => !titles.has(title))).toEqual([]);
});

/** Places where even the caller's own id leads to a refusal, and why. */
const REFUSED_ANYWAY: Readonly<Record<string, string>> = {
  'startAttempt headers.x-operation-stream': 'the attempt runs in the stream of another device',
  'saveAnswer body.more.0.fileId': 'the question takes one file',
  'listBank query.bankOf': 'the student has no bank; that of a colleague is in sharing.test.ts',
  'getBankFacets query.bankOf':
    'the student has no bank; that of a colleague is in sharing.test.ts',
  'gradeItem body.operationId': 'another answer counts than the one that the grader saw',
};

/** The id that a valid call of the caller's has at a field. */
function validId(field: IdField, scene: Scene): string {
  const given = valueAt(surrounded(field, scene), field);
  if (typeof given === 'string' && given !== '') return given;
  const isNew = field.part === 'headers' && field.kind === 'operation';
  return isNew ? server.deps.newId() : ownId(scene, field.kind);
}

test.each(shareInTurn(matrix, 3))(
  "somebody else's id: %s, sent by %s",
  async (title, role, field) => {
    let setting = await makeSetting(field);
    const send = async (id: string) => {
      const answered = await call(field, setting.scene, role, id);
      return { ...answered, isSpent: answered.status < 400 && field.route.method !== 'GET' };
    };
    /** A call that was accepted has changed its scene. */
    const renew = async ({ isSpent }: { isSpent: boolean }) => {
      if (!isSpent) return;
      unchanged.delete(settingKey(field));
      setting = await makeSetting(field);
    };
    const isLawful = LAWFUL[title]?.[role] !== undefined;
    let tried = 0;
    if (!isLawful) {
      const nothing = await send(server.deps.newId());
      await renew(nothing);
      for (const [world] of setting.worlds.entries())
        for (const [index] of (setting.worlds[world]?.[field.kind] ?? []).entries()) {
          const ids = setting.worlds[world] ?? {};
          const before = await readForeignRows(server, ids);
          const theirs = await send(ids[field.kind]?.[index] ?? '');
          const after = await readForeignRows(server, ids);
          tried += 1;
          const lost = before.all.filter((row) => !after.all.includes(row));
          expect(lost, `rows of others, changed: ${theirs.text}`).toEqual([]);
          const made = after.owned.filter((row) => !before.owned.includes(row));
          expect(made, `rows that name others, made: ${theirs.text}`).toEqual([]);
          expect(theirs.status, theirs.text).toBeLessThan(500);
          // Refused, or treated like an id that nobody has.
          if (theirs.status < 400) expect(plain(theirs)).toEqual(plain(nothing));
          await renew(theirs);
        }
      expect(tried).toBeGreaterThan(0);
    }
    // Otherwise the refusals above may have another reason.
    const own = await send(validId(field, setting.scene));
    if (own.isSpent) unchanged.delete(settingKey(field));
    if (!REFUSED_ANYWAY[title]) expect(own.status, own.text).toBeLessThan(300);
  },
);
