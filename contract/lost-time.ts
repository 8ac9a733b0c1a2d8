import * as v from 'valibot';
import { GrantedTime } from './board.ts';
import { boundedList } from './bounded-list.ts';
import { Id, IsoTime, listOf } from './primitives.ts';
import { route } from './route.ts';

const byTestId = v.object({ id: Id });
const ofTest = { access: 'teacher', ownership: 'testViewer', params: byTestId } as const;

/** Why an attempt lost time. `silence`: its device could not deliver, which alone costs a student no time. */
export const LossCause = v.picklist(['outage', 'lateStart', 'takeOver', 'silence']);
export type LossCause = v.InferOutput<typeof LossCause>;

const IsoPeriod = v.object({ from: IsoTime, to: IsoTime });
export type IsoPeriod = v.InferOutput<typeof IsoPeriod>;

/** What an attempt lost and has not got back. */
export const LostTime = v.object({
  attemptId: Id,
  /** Without silence. */
  minutes: v.number(),
  minutesWithSilence: v.number(),
  causes: v.array(v.object({ cause: LossCause, periods: v.array(IsoPeriod) })),
});
export type LostTime = v.InferOutput<typeof LostTime>;

export const getLostTime = route({
  name: 'getLostTime',
  summary: 'The time that running attempts lost through no fault of their students',
  method: 'GET',
  path: '/api/Test/{id}/lost-time',
  ...ofTest,
  reply: listOf(LostTime),
  errors: ['NOT_FOUND'],
});

export const giveTimeBack = route({
  name: 'giveTimeBack',
  summary:
    'Give attempts what they lost, as computed now; a repeat of the key has no second effect',
  method: 'POST',
  path: '/api/Test/{id}/lost-time',
  ...ofTest,
  ownership: 'testGrader',
  body: v.strictObject({
    key: Id,
    attemptIds: v.pipe(boundedList(Id, 1_000), v.minLength(1, 'Выберите, кому вернуть минуты')),
    withSilence: v.boolean(),
  }),
  reply: GrantedTime,
  errors: ['NOT_FOUND'],
});

export const getSilence = route({
  name: 'getSilence',
  summary: 'When the device of an attempt could not deliver, by the journal',
  method: 'GET',
  path: '/api/Test/{id}/silence',
  ...ofTest,
  query: v.object({ attemptId: Id }),
  reply: v.object({
    periods: v.array(IsoPeriod),
    /** An operation came without its age: the clock was set, or the device was restarted. */
    isAgeUnknown: v.boolean(),
  }),
  errors: ['NOT_FOUND'],
});
