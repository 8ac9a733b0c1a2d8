import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { Answer } from './answers.ts';
import { Id, isHundredths, IsoTime, listOf, Points, TotalPoints } from './primitives.ts';
import { route } from './route.ts';

/** Actions of a teacher on an attempt of their own test. */
const byAttempt = v.object({ attemptId: Id });

export const addTime = route({
  name: 'addTime',
  summary: 'Add minutes to an attempt; its deadline never becomes earlier',
  method: 'POST',
  path: '/api/attempts/{attemptId}/extra-time',
  access: 'teacher',
  ownership: 'attemptGrader',
  params: byAttempt,
  body: v.strictObject({
    minutes: v.pipe(
      v.number('Укажите число минут'),
      v.integer('Укажите целое число минут'),
      v.minValue(1, 'Добавьте хотя бы минуту'),
      v.maxValue(1_440, 'Не больше суток за раз'),
    ),
  }),
  reply: v.object({ deadline: IsoTime, countsUntil: IsoTime }),
  errors: ['NOT_FOUND', 'GONE', 'NEXT_ATTEMPT_EXISTS', 'ATTEMPT_NOT_RUNNING'],
});

const HeldAnswer = v.object({
  operationId: Id,
  questionId: Id,
  answer: Answer,
  /** As the device reported; null: it does not know. */
  writtenAt: v.nullable(IsoTime),
  /** Newest server time the device had seen at the time of writing: it had no contact from then until receipt. */
  seenServerAt: v.nullable(IsoTime),
  receivedAt: IsoTime,
  /** It arrived when its student could have seen the result already. */
  afterResult: v.optional(v.boolean(), false),
  decision: v.nullable(v.picklist(['accepted', 'refused'])),
});

export const listHeld = route({
  name: 'listHeld',
  summary: 'Answers of an attempt that do not count until the teacher decides',
  method: 'GET',
  path: '/api/attempts/{attemptId}/held',
  access: 'teacher',
  ownership: 'attemptGrader',
  params: byAttempt,
  reply: listOf(HeldAnswer),
  errors: ['NOT_FOUND'],
});

export const decideHeld = route({
  name: 'decideHeld',
  summary: 'Accept or refuse held answers',
  method: 'POST',
  path: '/api/attempts/{attemptId}/held',
  access: 'teacher',
  ownership: 'attemptGrader',
  params: byAttempt,
  body: v.strictObject({
    operationIds: v.pipe(boundedList(Id, 1_000), v.minLength(1)),
    decision: v.picklist(['accepted', 'refused']),
  }),
  reply: v.object({ score: v.nullable(TotalPoints) }),
  errors: ['NOT_FOUND'],
});

const GradePoints = v.pipe(Points, v.check(isHundredths, 'Не больше двух знаков после запятой'));

export const gradeItem = route({
  name: 'gradeItem',
  summary: 'Points and a comment for one answer',
  method: 'POST',
  path: '/api/attempts/{attemptId}/grades',
  access: 'teacher',
  ownership: 'attemptGrader',
  params: byAttempt,
  body: v.strictObject({
    questionId: Id,
    /** Null withdraws the grade: the key decides again, or the answer awaits a grade. */
    points: v.nullable(GradePoints),
    /** The answer that the grader saw; if another one counts by now, a 409. Null: there was none. */
    operationId: v.optional(v.nullable(Id)),
    /** The time of the grade that the grader saw; null: there was none. */
    seenGradedAt: v.optional(v.nullable(IsoTime)),
    /** Required if the key has decided. */
    reason: v.optional(
      v.pipe(v.string(), v.trim(), v.maxLength(500, 'Причина слишком длинная')),
      '',
    ),
    comment: v.optional(v.pipe(v.string(), v.maxLength(2_000, 'Комментарий слишком длинный')), ''),
  }),
  reply: v.object({
    score: v.nullable(TotalPoints),
    /** The newer grade of another person that this one replaced. */
    replaced: v.nullable(
      v.object({ grader: v.string(), points: Points, comment: v.string(), gradedAt: IsoTime }),
    ),
  }),
  errors: ['NOT_FOUND', 'UNKNOWN_QUESTION', 'ATTEMPT_NOT_RUNNING', 'ANSWER_CHANGED'],
});

export const deleteAttempt = route({
  name: 'deleteAttempt',
  summary: 'Delete an attempt; it can be restored',
  method: 'DELETE',
  path: '/api/attempts/{attemptId}',
  access: 'teacher',
  ownership: 'attemptEditor',
  params: byAttempt,
  reply: v.object({}),
  errors: ['NOT_FOUND'],
});

export const restoreAttempt = route({
  name: 'restoreAttempt',
  summary: 'Bring back a deleted attempt',
  method: 'POST',
  path: '/api/attempts/{attemptId}/restore',
  access: 'teacher',
  ownership: 'attemptEditor',
  params: byAttempt,
  bodyType: 'none',
  reply: v.object({}),
  errors: ['NOT_FOUND', 'NEXT_ATTEMPT_EXISTS'],
});
