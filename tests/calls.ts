import { createHash, randomBytes } from 'node:crypto';
import { ROLE } from '#contract/auth.ts';
import { HEADER } from '#contract/headers.ts';
import { uploadChunk } from '#contract/passing.ts';
import type { CallInput, Route } from '#contract/route.ts';
import type { TemplateBody } from '#contract/templates.ts';
import { makeGroup, makeSchool, Q, RIGHT, smallTest, TestDevice, type School } from './school.ts';
import type { TestServer, TestUser } from './server.ts';
import { RECORDING } from '#tests/sample-recording.ts';

/** The possible callers; `none` has no token. */
export type Who = 'none' | 'student' | 'otherStudent' | 'teacher' | 'otherTeacher' | 'admin';
export const EVERYBODY: readonly Who[] = [
  'none',
  'student',
  'otherStudent',
  'teacher',
  'otherTeacher',
  'admin',
];

/** A student in a running attempt on a teacher's test, a handed-in file, and people unrelated to both. */
export interface Scene extends School {
  users: Readonly<Record<Exclude<Who, 'none'>, TestUser>>;
  attemptId: string;
  fileId: string;
  /** An answer that waits for the teacher's decision. */
  heldId: string;
  /** A prepared attempt of the student, and a picture of its questions. */
  offerId: string;
  /** The held begin of another device in the attempt. */
  beginStream: string;
  pictureKey: string;
  /** A device of the student that reported its readiness. */
  deviceId: string;
  /** A class of the teacher with the student in it. */
  groupId: string;
  /** A question in the teacher's bank. */
  entryId: string;
  templateId: string;
  /** A project of the student. */
  projectId: string;
  /** Another sign-in of the student. */
  sessionId: string;
  /** A passkey of the teacher. */
  passkeyId: string;
}

/** One transparent pixel. */
const TINY_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

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

export const smallTemplate: TemplateBody = {
  title: 'Сила',
  theme: 'physics',
  topic: 'Динамика',
  difficulty: 'easy',
  tags: [],
  points: 1,
  text: 'Масса {{m}} кг, ускорение {{a}} м/с². Какова сила?',
  explanation: '',
  variables: [
    { kind: 'range', name: 'm', from: 1, to: 9, step: 1 },
    { kind: 'list', name: 'a', values: [2, 4, 5] },
  ],
  condition: '',
  decimals: 0,
  key: { kind: 'open', answer: 'm * a', tolerance: 0 },
};

/** An entry of the bank, a template and a passkey of a teacher, inserted directly. */
async function makeStock(
  server: TestServer,
  teacher: TestUser,
): Promise<Pick<Scene, 'entryId' | 'templateId' | 'passkeyId'>> {
  const [entryId, templateId, passkeyId] = [
    server.deps.newId(),
    server.deps.newId(),
    server.deps.newId(),
  ];
  const now = server.deps.clock();
  await server.deps.pool.query(
    `insert into bank_entries (owner_id, entry_id, question, kind, words, updated_at)
     values ($1, $2, $3, 'variant', 'вопрос', $4)`,
    [teacher.userId, entryId, JSON.stringify({ ...smallTest[0], questionId: entryId }), now],
  );
  await server.deps.pool.query(
    `insert into question_templates (owner_id, id, body, created_at, updated_at)
     values ($1, $2, $3, $4, $4)`,
    [teacher.userId, templateId, JSON.stringify(smallTemplate), now],
  );
  await server.deps.pool.query(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $4, '\\x00', 0, '{}', 'Ноутбук', $3)`,
    [passkeyId, teacher.userId, now, passkeyId],
  );
  return { entryId, templateId, passkeyId };
}

/** A project and a second sign-in of a student, inserted directly. */
async function makeBelongings(
  server: TestServer,
  student: TestUser,
): Promise<Pick<Scene, 'projectId' | 'sessionId'>> {
  const [projectId, sessionId] = [server.deps.newId(), server.deps.newId()];
  const now = server.deps.clock();
  await server.deps.pool.query(
    `insert into projects (id, owner_id, name, short_description, description, landing_url,
                           created_at, updated_at)
     values ($1, $2, 'Умная теплица', 'Датчики следят за рассадой', 'Полив по расписанию',
             'https://project.example/', $3, $3)`,
    [projectId, student.userId, now],
  );
  await server.deps.pool.query(
    `insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at)
     values ($1, $2, $3, $4, $4, $4::timestamptz + interval '7 days')`,
    [sessionId, randomBytes(32), student.userId, now],
  );
  return { projectId, sessionId };
}

/** A start code, an offer with a picture, a ready device, and a held begin of the attempt, inserted directly. */
async function makeOffline(
  server: TestServer,
  { testId, student, teacher }: School,
  attemptId: string,
): Promise<Pick<Scene, 'offerId' | 'beginStream' | 'pictureKey' | 'deviceId'>> {
  const { newId } = server.deps;
  const [offerId, pictureKey, contentId, deviceId] = [newId(), newId(), newId(), newId()];
  const [codeId, beginStream] = [newId(), newId()];
  const now = server.clock.now;
  const insert = (text: string, values: unknown[]) => server.deps.pool.query(text, values);
  const questions = [{ ...smallTest[0], text: `Схема ![](file:${pictureKey})` }];
  await insert('update tests set offline_start = true where id = $1', [testId]);
  await insert(
    `insert into start_codes (id, test_id, code, salt, code_key, version, created_at, made_at)
     values ($1, $2, 'HK4M7TX2P9C3', $3, $4, 1, $5, $5)`,
    [codeId, testId, randomBytes(16), randomBytes(32), now],
  );
  await insert(
    `insert into pictures (key, owner_id, mime_type, bytes, digest, created_at)
     values ($1, $2, 'image/png', $3, $4, $5)`,
    [pictureKey, teacher.userId, Buffer.from(TINY_PNG, 'base64'), randomBytes(32), now],
  );
  await insert(
    `insert into test_contents (id, test_id, questions, max_points, created_at)
     values ($1, $2, $3, 2, $4)`,
    [contentId, testId, JSON.stringify(questions), now],
  );
  await insert(
    `insert into offers (id, test_id, user_id, source_id, content_id, number, terms, code_id,
       code_version, made_at)
     select $1, id, $3, content_id, $4, 2, '{"passSeconds": 2400}', $6, 1, $5 from tests where id = $2`,
    [offerId, testId, student.userId, contentId, now, codeId],
  );
  await insert(
    `insert into begins (attempt_id, stream, code_id, code_version, received_at, begun_at, hold)
     values ($1, $2, $4, 0, $3, $3, 'secondDevice')`,
    [attemptId, beginStream, now, codeId],
  );
  await insert(
    `insert into readiness_reports (test_id, user_id, device_id, problems, app_version, reported_at)
     values ($1, $2, $3, '{}', '1.0.0+test', $4)`,
    [testId, student.userId, deviceId, now],
  );
  return { offerId, beginStream, pictureKey, deviceId };
}

/** A class of the teacher with the student in it, the test assigned to it, and a start code of its own. */
async function makeCodedClass(
  server: TestServer,
  { teacher, student, testId }: School,
): Promise<string> {
  const { newId, pool } = server.deps;
  const groupId = await makeGroup(server, teacher, [student]);
  await pool.query(
    'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)',
    [newId(), testId, groupId, server.clock.now],
  );
  await pool.query(
    `insert into start_codes (id, test_id, group_id, code, salt, code_key, version, created_at, made_at)
     values ($1, $2, $3, 'MX4M7TX2P9C3', $4, $5, 1, $6, $6)`,
    [newId(), testId, groupId, randomBytes(16), randomBytes(32), server.clock.now],
  );
  return groupId;
}

/** A complete file that a student handed in. Returns its id. */
export async function handInFile(
  server: TestServer,
  student: TestUser,
  attemptId: string,
): Promise<string> {
  const fileId = server.deps.newId();
  await server.send(uploadChunk, chunk(fileId, attemptId), { as: student });
  return fileId;
}

/** Creates a separate scene for each call, so that calls do not affect each other. */
export async function makeScene(server: TestServer): Promise<Scene> {
  const school = await makeSchool(server);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  const fileId = await handInFile(server, school.student, device.attemptId);
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
    ...(await makeOffline(server, school, device.attemptId)),
    groupId: await makeCodedClass(server, school),
    ...(await makeStock(server, school.teacher)),
    ...(await makeBelongings(server, school.student)),
  };
}

const newTest = {
  name: 'Новый тест',
  description: '',
  theme: '',
  difficulty: '',
  attemptsCount: 1,
  startTestTime: '2026-03-02T06:00:00.000Z',
  endTestTime: '2026-04-02T06:00:00.000Z',
  passTestTime: '10:00:00',
  maxPoints: 0,
  questions: [],
};

const LOGO = new Blob([Buffer.from(TINY_PNG, 'base64')], { type: 'image/png' });
const PAPER = new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' });

const importRow = (server: TestServer) => ({
  line: 1,
  userName: 'Мария Иванова',
  email: `${server.deps.newId()}@school.test`,
  role: 'Студент',
  password: '',
});

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
  getReceipt: ({ attemptId }) => ({ params: { attemptId } }),
  startAttempt: ({ testId }) => ({ params: { id: testId } }),
  makeOffer: ({ testId }) => ({ params: { id: testId } }),
  getOfferFile: ({ testId, offerId, pictureKey }) => ({
    params: { id: testId, offerId, key: pictureKey },
  }),
  getStartCode: ({ testId, groupId }) => ({ params: { id: testId }, query: { groupId } }),
  changeStartCode: ({ testId, groupId }) => ({
    params: { id: testId },
    query: { groupId },
    body: { showFrom: null },
  }),
  revealStartCode: ({ testId, groupId }) => ({ params: { id: testId }, query: { groupId } }),
  renewStartCode: ({ testId, groupId }) => ({ params: { id: testId }, query: { groupId } }),
  listCodeClasses: ({ testId }) => ({ params: { id: testId } }),
  makeClassCode: ({ testId, groupId }) => ({ params: { id: testId, groupId } }),
  removeClassCode: ({ testId, groupId }) => ({ params: { id: testId, groupId } }),
  listHolds: ({ testId }) => ({ params: { id: testId } }),
  decideHolds: ({ testId, attemptId, beginStream }) => ({
    params: { id: testId },
    body: {
      attemptIds: [attemptId],
      decision: 'accept',
      shown: [{ stream: beginStream, decision: null }],
    },
  }),
  reportReadiness: ({ testId }, server) => ({
    params: { id: testId },
    body: { deviceId: server.deps.newId(), problems: ['notFetched'], appVersion: '1.0.0+test' },
  }),
  listReadiness: ({ testId }) => ({ params: { id: testId } }),
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
  listTests: () => ({}),
  listPassedTests: () => ({}),
  listCreatedTests: () => ({}),
  createTest: () => ({ body: newTest }),
  updateTest: ({ testId }) => ({ body: { id: testId, version: 1, name: 'Другое название' } }),
  deleteTest: ({ testId }) => ({ params: { id: testId } }),
  duplicateTest: ({ testId }) => ({ params: { id: testId } }),
  setLifecycle: ({ testId }) => ({ params: { id: testId }, body: { lifecycle: 'archived' } }),
  getTestSettings: ({ testId }) => ({ params: { id: testId } }),
  getAttemptPreview: ({ attemptId }) => ({ params: { attemptId } }),
  listGrading: ({ testId }) => ({ params: { id: testId } }),
  listGradeLog: ({ attemptId }) => ({ params: { attemptId } }),
  listTestHeld: ({ testId }) => ({ params: { id: testId } }),
  decideTestHeld: ({ testId, heldId }) => ({
    params: { id: testId },
    body: { operationIds: [heldId], decision: 'accepted' },
  }),
  listMissing: ({ testId }) => ({ params: { id: testId } }),
  correctKey: ({ testId }) => ({
    params: { id: testId },
    body: { question: smallTest[1], reason: 'Верный вариант был отмечен не тот' },
  }),
  bringAnswers: ({ testId, attemptId, student }, server) => ({
    params: { id: testId, attemptId },
    body: {
      owner: student.userId,
      answers: [
        {
          operationId: server.deps.newId(),
          stream: server.deps.newId(),
          epoch: 1,
          sequence: 1,
          answer: RIGHT.single,
          writtenAt: '2026-03-02T06:00:00.000Z',
          seenServerTime: null,
        },
      ],
    },
  }),
  // Bytes that nobody encrypted: refused after the role was checked.
  bringHandover: ({ student }) => ({ params: { owner: student.userId }, bytes: PICTURE }),
  bringFile: ({ testId, attemptId, student }, server) => ({
    params: { id: testId, attemptId, fileId: server.deps.newId() },
    query: {
      owner: student.userId,
      questionId: Q.file,
      name: 'решение.jpg',
      mimeType: 'image/jpeg',
      sha256: createHash('sha256').update(PICTURE).digest('hex'),
    },
    bytes: PICTURE,
  }),
  getStatistics: ({ testId }) => ({ params: { id: testId } }),
  getAnalysis: ({ testId }) => ({ params: { id: testId } }),
  exportStatistics: ({ testId }) => ({ params: { id: testId }, query: { format: 'csv' } }),
  getBoard: ({ testId }) => ({ params: { id: testId } }),
  watchBoard: ({ testId }) => ({ params: { id: testId }, query: { once: '1' } }),
  getLostTime: ({ testId }) => ({ params: { id: testId } }),
  giveTimeBack: ({ testId, attemptId }, server) => ({
    params: { id: testId },
    body: { key: server.deps.newId(), attemptIds: [attemptId], withSilence: false },
  }),
  getSilence: ({ testId, attemptId }) => ({ params: { id: testId }, query: { attemptId } }),
  addTimeToMany: ({ testId, attemptId }, server) => ({
    params: { id: testId },
    body: { key: server.deps.newId(), minutes: 5, attemptIds: [attemptId] },
  }),
  listGroups: () => ({}),
  createGroup: () => ({ body: { name: '9Б' } }),
  getGroup: ({ groupId }) => ({ params: { groupId } }),
  updateGroup: ({ groupId }) => ({ params: { groupId }, body: { name: '9В' } }),
  deleteGroup: ({ groupId }) => ({ params: { groupId } }),
  setJoinCode: ({ groupId }) => ({ params: { groupId }, body: { enabled: true } }),
  addMembers: ({ groupId, users }) => ({
    params: { groupId },
    body: { userIds: [users.otherStudent.userId] },
  }),
  removeMember: ({ groupId, student }) => ({ params: { groupId, userId: student.userId } }),
  createPupils: ({ groupId }, server) => ({
    params: { groupId },
    body: { key: server.deps.newId(), names: ['Иванова Мария'] },
  }),
  resetPupilPassword: ({ groupId, student }) => ({ params: { groupId, userId: student.userId } }),
  lookUpJoinCode: () => ({ query: { code: 'НЕТ-ТАКОГО' } }),
  joinGroup: () => ({ body: { code: 'НЕТ-ТАКОГО' } }),
  getDraft: ({ testId }) => ({ params: { id: testId } }),
  getDraftVersion: ({ testId }) => ({ params: { id: testId } }),
  saveDraft: ({ testId }) => ({
    params: { id: testId },
    body: { draftVersion: 1, order: [Q.essay], changed: [] },
  }),
  publishDraft: ({ testId }) => ({ params: { id: testId }, body: { draftVersion: 1 } }),
  discardDraft: ({ testId }) => ({ params: { id: testId }, body: { draftVersion: 1 } }),
  getGeneration: ({ testId }) => ({ params: { id: testId } }),
  saveGeneration: ({ testId, templateId }) => ({
    params: { id: testId },
    body: {
      generation: {
        seed: 'семя',
        criteria: { theme: 'physics' },
        mix: { easy: 2 },
        templates: [{ templateId, count: 3, perStudent: false }],
      },
    },
  }),
  uploadPicture: () => ({ bytes: PICTURE }),
  uploadRecording: () => ({ bytes: RECORDING }),
  getTestShares: ({ testId }) => ({ params: { id: testId } }),
  changeTestShares: ({ testId, users }) => ({
    params: { id: testId },
    body: { given: [{ userId: users.otherTeacher.userId, level: 'edit' }], taken: [] },
  }),
  getGroupShares: ({ groupId }) => ({ params: { groupId } }),
  changeGroupShares: ({ groupId, users }) => ({
    params: { groupId },
    body: { given: [{ userId: users.otherTeacher.userId, level: 'edit' }], taken: [] },
  }),
  getBankShares: () => ({}),
  changeBankShares: ({ users }) => ({
    body: { given: [{ userId: users.otherTeacher.userId, level: 'results' }], taken: [] },
  }),
  listBank: () => ({}),
  getBankFacets: () => ({}),
  saveBankEntry: ({ entryId }) => ({
    params: { entryId },
    body: { question: smallTest[1], theme: 'physics' },
  }),
  deleteBankEntry: ({ entryId }) => ({ params: { entryId } }),
  pickFromBank: () => ({ body: { criteria: {}, mix: { any: 3 }, seed: 'семя' } }),
  findImported: () => ({ body: { sources: ['1abc'] } }),
  listTemplates: () => ({}),
  saveTemplate: ({ templateId }) => ({
    params: { templateId },
    body: { version: 1, body: smallTemplate },
  }),
  deleteTemplate: ({ templateId }) => ({ params: { templateId } }),
  getAiStatus: () => ({}),
  draftQuestions: () => ({
    body: {
      theme: 'physics',
      difficulty: '',
      topic: 'Второй закон Ньютона',
      wishes: '',
      source: '',
      kinds: ['variant'],
      count: 3,
      existing: [],
    },
  }),
  reviseQuestion: () => ({
    body: { theme: '', difficulty: '', question: smallTest[0], wish: 'improve', wishes: '' },
  }),
  downloadFile: ({ fileId }) => ({ params: { key: fileId } }),
  listProjects: () => ({}),
  listMyProjects: () => ({}),
  getProject: ({ projectId }) => ({ params: { id: projectId } }),
  createProject: () => ({
    body: {
      Name: 'Орбита',
      ShortDescription: 'Симулятор движения спутников',
      Description: 'Меняйте скорость и массу',
      LandingURL: 'https://orbit.example/',
    },
    files: { LogoPhoto: LOGO, Documentation: PAPER },
  }),
  updateProject: ({ projectId }) => ({ body: { Id: projectId, Name: 'Теплица' } }),
  deleteProject: ({ projectId }) => ({ params: { id: projectId } }),
  rateProject: ({ projectId }) => ({ params: { id: projectId }, body: { stars: 5 } }),
  getProjectFiles: ({ projectId }) => ({ params: { id: projectId } }),
  listAdminProjects: () => ({}),
  setProjectHidden: ({ projectId }) => ({ params: { id: projectId }, body: { isHidden: true } }),
  listAdminUsers: () => ({}),
  createUser: (_, server) => ({
    body: { userName: 'Новый', email: `${server.deps.newId()}@school.test`, role: ROLE.student },
  }),
  updateUser: ({ users }) => ({
    params: { userId: users.otherStudent.userId },
    body: { userName: 'Другое Имя' },
  }),
  setUserBlocked: ({ users }) => ({
    params: { userId: users.otherStudent.userId },
    body: { isBlocked: true },
  }),
  resetUserPassword: ({ users }) => ({ params: { userId: users.otherStudent.userId } }),
  checkImport: (_, server) => ({ body: { rows: [importRow(server)] } }),
  importUsers: (_, server) => ({
    body: { key: server.deps.newId(), rows: [importRow(server)] },
  }),
  exportUserData: ({ users }) => ({ params: { userId: users.otherStudent.userId } }),
  getTeaching: ({ users }) => ({ params: { userId: users.teacher.userId } }),
  handOverTeaching: ({ users }) => ({
    params: { userId: users.teacher.userId },
    body: { successorId: users.otherTeacher.userId },
  }),
  eraseUser: ({ users }) => ({
    params: { userId: users.otherStudent.userId },
    query: { successorId: users.otherTeacher.userId },
  }),
  listAudit: () => ({}),
  exportAudit: () => ({}),
  updateProfile: () => ({ body: { userName: 'Имя Иное' } }),
  changePassword: () => ({ body: { currentPassword: 'Kolokol7', newPassword: 'Kolokol8' } }),
  listSessions: () => ({}),
  endSession: ({ sessionId }) => ({ params: { sessionId } }),
  endOtherSessions: () => ({}),
  exportOwnData: () => ({}),
  eraseOwnAccount: () => ({ body: { password: 'Kolokol7' } }),
  loginSecondFactor: () => ({
    body: { challenge: 'такого-шага-нет', proof: { method: 'totp', code: '123456' } },
  }),
  startConfirmation: () => ({}),
  confirmIdentity: () => ({
    body: { challenge: 'такого-шага-нет', proof: { method: 'totp', code: '123456' } },
  }),
  getSecondFactor: () => ({}),
  startTotp: () => ({}),
  confirmTotp: () => ({ body: { challenge: 'такого-шага-нет', code: '123456' } }),
  removeTotp: () => ({}),
  startPasskey: () => ({}),
  addPasskey: () => ({
    body: {
      challenge: 'такого-шага-нет',
      name: 'Телефон',
      attestation: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
      },
    },
  }),
  removePasskey: ({ passkeyId }) => ({ params: { passkeyId } }),
  makeRecoveryCodes: () => ({}),
  getFactorRequirements: () => ({}),
  setFactorRequirements: () => ({ body: { teacher: false, admin: false } }),
  getReceiptKeys: () => ({}),
  rotateReceiptKey: () => ({}),
  liftCodesStop: ({ users }) => ({ params: { userId: users.otherTeacher.userId } }),
  removeUserFactors: ({ users }) => ({ params: { userId: users.otherTeacher.userId } }),
  getFile: ({ fileId }) => ({ query: { path: fileId } }),
  health: () => ({}),
  readiness: () => ({}),
};

/** A valid call of a route in a scene. A new route needs a line above. */
export function sampleCall(route: Route, scene: Scene, server: TestServer): AnyInput {
  const sample = samples[route.name];
  if (!sample) throw new Error(`no sample call for the route ${route.name} in tests/calls.ts`);
  return sample(scene, server);
}
