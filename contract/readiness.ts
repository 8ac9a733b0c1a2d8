import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { Id, IsoTime, listOf } from './primitives.ts';
import { route } from './route.ts';
import { byTestId } from './tests.ts';

/** Why a device is not ready for a test without a network (`docs/adr/0015-offer-and-start-code.md`). */
export const ReadinessProblem = v.picklist([
  /** No TLS, no WebAssembly, no storage: the test cannot begin here at all. */
  'insecure',
  'noWasm',
  'noStorage',
  /** The prepared attempt is missing, unreadable, or not for this sign-in. */
  'noKey',
  'damaged',
  'notFetched',
  /** The server has not confirmed the prepared attempt for a day. */
  'offerUnchecked',
  /** The app does not open without a network yet. */
  'noWorker',
  'lowSpace',
  /** The browser may clear the storage. */
  'notPersisted',
  /** The device has never received the time of the server. */
  'noClock',
  'unsentAnswers',
  'updateWaiting',
  /** The sign-in ends before the test does. */
  'signInEnds',
]);
export type ReadinessProblem = v.InferOutput<typeof ReadinessProblem>;

/** Of a build: `1.0.0+abc1234`. */
const BuildVersion = v.pipe(v.string(), v.maxLength(64), v.regex(/^[\w.+-]+$/));

export const ReadinessReport = v.strictObject({
  /** Random, chosen by the installation. */
  deviceId: Id,
  problems: boundedList(ReadinessProblem, 20),
  appVersion: BuildVersion,
});
export type ReadinessReport = v.InferOutput<typeof ReadinessReport>;

export const reportReadiness = route({
  name: 'reportReadiness',
  summary:
    'Whether the caller’s device is ready for a begin without a network; replaces its last report',
  method: 'POST',
  path: '/api/TestPassing/{id}/readiness',
  access: 'signedIn',
  ownership: 'testReader',
  params: byTestId,
  body: ReadinessReport,
  reply: v.object({ reportedAt: IsoTime }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'OFFLINE_START_OFF', 'TEST_CLOSED', 'TEST_EMPTY'],
});

/** The last report of one device. */
export const DeviceReadiness = v.object({
  ready: v.boolean(),
  problems: v.array(ReadinessProblem),
  reportedAt: IsoTime,
  appVersion: v.string(),
});
export type DeviceReadiness = v.InferOutput<typeof DeviceReadiness>;

/** A student of the test with the reports of the devices, ready ones first, then the newest. */
export const StudentReadiness = v.object({
  userId: Id,
  userName: v.string(),
  groups: v.array(v.string()),
  /** An attempt has begun: readiness does not matter any more. */
  begun: v.boolean(),
  /** Null: no attempt is prepared. */
  offerMadeAt: v.nullable(IsoTime),
  /** False: questions or code have changed since, and the device needs a network once more. */
  offerCurrent: v.boolean(),
  devices: v.array(DeviceReadiness),
  /** The newest report, or contact with a device of an attempt on this test. */
  lastSeenAt: v.nullable(IsoTime),
});
export type StudentReadiness = v.InferOutput<typeof StudentReadiness>;

export const listReadiness = route({
  name: 'listReadiness',
  summary: 'Readiness of the students’ devices for a begin without a network, by name',
  method: 'GET',
  path: '/api/Test/{id}/readiness',
  access: 'teacher',
  ownership: 'testViewer',
  params: byTestId,
  reply: listOf(StudentReadiness),
  errors: ['NOT_FOUND', 'OFFLINE_START_OFF'],
});
