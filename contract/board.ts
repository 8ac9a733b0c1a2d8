import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { Id, IsoTime } from './primitives.ts';
import { route } from './route.ts';
import { ShowTrials, Trial, TrialCount } from './trials.ts';

const byTestId = v.object({ id: Id });
const ofTest = { access: 'teacher', ownership: 'testViewer', params: byTestId } as const;

/** One person on the live view: the newest attempt, or none yet. */
export const BoardRow = v.object({
  userId: Id,
  userName: v.string(),
  groups: v.array(v.string()),
  attemptId: v.nullable(Id),
  attemptNumber: v.nullable(v.number()),
  /** A trial, or the person can only start one. */
  trial: Trial,
  state: v.picklist(['notStarted', 'running', 'timeOver', 'finished', 'closed']),
  startedAt: v.nullable(IsoTime),
  deadline: v.nullable(IsoTime),
  countsUntil: v.nullable(IsoTime),
  finishedAt: v.nullable(IsoTime),
  /** Questions with an answer that is on the server. */
  answered: v.number(),
  totalQuestions: v.number(),
  /** The server's last contact with a device of this attempt. */
  lastSeenAt: v.nullable(IsoTime),
  /** Operations that a device reported as written and that the server does not have. */
  unsent: v.number(),
  /** The time of that report. With nothing unsent: of the last report. */
  unsentAt: v.nullable(IsoTime),
  /** Since when something has been missing, as far as the server knows; files too. */
  unsentSince: v.nullable(IsoTime),
  /** Files that the server knows of but has not received completely. */
  filesUnderway: v.number(),
  held: v.number(),
  /** How often the attempt began or was taken over on a device: its take-overs plus one. */
  devices: v.number(),
});
export type BoardRow = v.InferOutput<typeof BoardRow>;

/** The whole view: small enough to be sent whole at each change. */
export const Board = v.object({
  testId: Id,
  title: v.string(),
  serverTime: IsoTime,
  startTime: v.nullable(IsoTime),
  endTime: v.nullable(IsoTime),
  rows: v.array(BoardRow),
  trials: TrialCount,
});
export type Board = v.InferOutput<typeof Board>;

export const getBoard = route({
  name: 'getBoard',
  summary: 'How a running test goes, as the server knows it now',
  method: 'GET',
  path: '/api/Test/{id}/board',
  ...ofTest,
  query: v.object({ trials: ShowTrials }),
  reply: Board,
  errors: ['NOT_FOUND'],
});

/** Exempt from the HTTP time-out. */
export const watchBoard = route({
  name: 'watchBoard',
  summary: 'The same as server-sent events, one at each change',
  method: 'GET',
  path: '/api/Test/{id}/board/events',
  ...ofTest,
  /** `once`: the first event and the end, for manual inspection. */
  query: v.object({ once: v.optional(v.literal('1')), trials: ShowTrials }),
  reply: Board,
  streams: true,
  errors: ['NOT_FOUND'],
});

/** What a grant of minutes did. */
export const GrantedTime = v.object({
  extended: v.array(v.object({ attemptId: Id, deadline: IsoTime })),
  /** Attempts that could not be extended, with the reason in Russian. */
  skipped: v.array(v.object({ attemptId: Id, message: v.string() })),
});
export type GrantedTime = v.InferOutput<typeof GrantedTime>;

export const addTimeToMany = route({
  name: 'addTimeToMany',
  summary: 'Add minutes to several running attempts; a repeat of the key has no second effect',
  method: 'POST',
  path: '/api/Test/{id}/extra-time',
  ...ofTest,
  ownership: 'testGrader',
  body: v.strictObject({
    key: Id,
    minutes: v.pipe(
      v.number('Укажите число минут'),
      v.integer('Укажите целое число минут'),
      v.minValue(1, 'Добавьте хотя бы минуту'),
      v.maxValue(1_440, 'Не больше суток за раз'),
    ),
    attemptIds: v.pipe(boundedList(Id, 1_000), v.minLength(1, 'Выберите, кому добавить время')),
  }),
  reply: GrantedTime,
  errors: ['NOT_FOUND'],
});
