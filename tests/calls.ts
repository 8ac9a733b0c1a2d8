import { createHash } from 'node:crypto';
import { ROLE } from '#contract/auth.ts';
import { HEADER } from '#contract/headers.ts';
import { uploadChunk } from '#contract/passing.ts';
import type { CallInput, Route } from '#contract/route.ts';
import { makeSchool, Q, RIGHT, TestDevice, type School } from './school.ts';
import type { TestServer, TestUser } from './server.ts';

/** Everybody a call may come from; `none` has no token. */
export type Who = 'none' | 'student' | 'otherStudent' | 'teacher' | 'otherTeacher' | 'admin';
export const EVERYBODY: readonly Who[] = [
  'none',
  'student',
  'otherStudent',
  'teacher',
  'otherTeacher',
  'admin',
];

/** A student in a running attempt on his teacher's test, a file handed in, and strangers to both. */
export interface Scene extends School {
  users: Readonly<Record<Exclude<Who, 'none'>, TestUser>>;
  attemptId: string;
  fileId: string;
  /** An answer that waits for the teacher. */
  heldId: string;
}

const PICTURE = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
  Buffer.alloc(2_000, 7),
]);

const chunk = (fileId: string, attemptId: string) => ({
  params: { id: attemptId, fileId },
  query: {
    offset: 0,
    size: PICTURE.length,
    sha256: createHash('sha256').update(PICTURE).digest('hex'),
    name: 'решение.jpg',
    mimeType: 'image/jpeg',
    questionId: Q.file,
  },
  bytes: PICTURE,
});

/** Makes a scene of its own, so that what one call does never helps another. */
export async function makeScene(server: TestServer): Promise<Scene> {
  const school = await makeSchool(server);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  const fileId = server.deps.newId();
  await server.send(uploadChunk, chunk(fileId, device.attemptId), { as: school.student });
  const unknownStream = device.operation({ [HEADER.stream]: server.deps.newId() });
  const held = await device.answer(RIGHT.single, unknownStream);
  if (held.body.outcome !== 'held') throw new Error(`the scene's held answer is ${held.text}`);
  return {
    ...school,
    users: {
      student: school.student,
      otherStudent: await server.user({ userName: 'Другой Ученик' }),
      teacher: school.teacher,
      otherTeacher: await server.user({ role: ROLE.teacher, userName: 'Другой Учитель' }),
      admin: await server.user({ role: ROLE.admin, userName: 'Администратор' }),
    },
    attemptId: device.attemptId,
    fileId,
    heldId: held.body.operationId,
  };
}

type AnyInput = CallInput<Route>;

const samples: Readonly<Record<string, (scene: Scene, server: TestServer) => object>> = {
  login: () => ({ body: { email: 'nobody@school.test', password: 'Kolokol7' } }),
  register: (_, server) => ({
    body: { userName: 'Новый', email: `${server.deps.newId()}@school.test`, password: 'Kolokol7' },
  }),
  logout: () => ({}),
  currentUser: () => ({}),
  listUsers: () => ({}),
  listMyTests: () => ({}),
  getTestDetails: ({ testId }) => ({ params: { id: testId } }),
  getTest: ({ testId }) => ({ params: { id: testId } }),
  getPassing: ({ attemptId }) => ({ params: { attemptId } }),
  listResults: ({ testId }) => ({ params: { id: testId } }),
  getResult: ({ attemptId }) => ({ params: { attemptId } }),
  startAttempt: ({ testId }) => ({ params: { id: testId } }),
  saveAnswer: ({ attemptId }) => ({ params: { id: attemptId }, body: RIGHT.matching }),
  finishAttempt: ({ attemptId }) => ({ params: { id: attemptId } }),
  getSavedAnswers: ({ attemptId }) => ({ params: { id: attemptId } }),
  uploadChunk: ({ attemptId }, server) => chunk(server.deps.newId(), attemptId),
  getUpload: ({ attemptId, fileId }) => ({ params: { id: attemptId, fileId } }),
  addTime: ({ attemptId }) => ({ params: { attemptId }, body: { minutes: 5 } }),
  listHeld: ({ attemptId }) => ({ params: { attemptId } }),
  decideHeld: ({ attemptId, heldId }) => ({
    params: { attemptId },
    body: { operationIds: [heldId], decision: 'accepted' },
  }),
  gradeItem: ({ attemptId }) => ({
    params: { attemptId },
    body: { questionId: Q.essay, points: 3, comment: 'Верно' },
  }),
  deleteAttempt: ({ attemptId }) => ({ params: { attemptId } }),
  restoreAttempt: ({ attemptId }) => ({ params: { attemptId } }),
  getFile: ({ fileId }) => ({ query: { path: fileId } }),
  health: () => ({}),
  readiness: () => ({}),
};

/** A good call of a route in a scene. A new route needs a line above. */
export function sampleCall(route: Route, scene: Scene, server: TestServer): AnyInput {
  const sample = samples[route.name];
  if (!sample) throw new Error(`no sample call for the route ${route.name} in tests/calls.ts`);
  return sample(scene, server);
}
