import * as v from 'valibot';
import { Duration, Id, IsoTime, TotalPoints } from './primitives.ts';
import { Question, StudentQuestion } from './questions.ts';
import { route } from './route.ts';
import { byTestId } from './tests.ts';

/** The test payload of the specification; for a student without a running attempt `questions` is empty. */
const TestPayload = v.object({
  id: Id,
  version: v.number(),
  name: v.string(),
  description: v.string(),
  theme: v.string(),
  difficulty: v.string(),
  topic: v.string(),
  /** Of the questions. */
  language: v.optional(v.string()),
  attemptsCount: v.number(),
  startTestTime: v.nullable(IsoTime),
  endTestTime: v.nullable(IsoTime),
  passTestTime: Duration,
  maxPoints: TotalPoints,
  questions: v.union([v.array(Question), v.array(StudentQuestion)]),
});

export const getTest = route({
  name: 'getTest',
  summary:
    'Full test: with keys for its editors, pinned and without keys for a student who runs it',
  method: 'GET',
  path: '/api/Test/{id}',
  access: 'signedIn',
  ownership: 'testReader',
  params: byTestId,
  reply: TestPayload,
  errors: ['NOT_FOUND'],
});
