import type { FastifyInstance } from 'fastify';
import { languageOf } from '#domain/languages.ts';
import { getAttemptPreview, type AttemptPreview } from '#contract/results.ts';
import type { Question } from '#contract/questions.ts';
import { isAnswered } from '#domain/answered.ts';
import { attemptState } from '#domain/deadline.ts';
import { shownQuestion } from '#domain/shown-question.ts';
import type { PartRank } from '#domain/student-question.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { attemptTime } from '#server/passing/attempt.ts';
import { loadContent } from '#server/passing/content.ts';
import { computeMarks, type AttemptMarks } from '#server/passing/counting.ts';
import { attemptRank } from '#server/passing/part-rank.ts';
import { creditOf, verdictOf } from './attempt-result.ts';
import { isoOf, readAttempt, type ResultReading } from './reading.ts';

type Item = AttemptPreview['items'][number];

/** The data beside each question of the attempt. */
interface CountedAnswer {
  readonly rank: PartRank;
  readonly marks: AttemptMarks;
  readonly late: ReadonlySet<string>;
}

/** One question with the parts that may be seen; hidden ones are never included. */
function itemOf(
  question: Question,
  number: number,
  { shows }: ResultReading,
  { rank, marks, late }: CountedAnswer,
): Item {
  const { questionId } = question;
  const answer = marks.answers.get(questionId) ?? null;
  const answered = isAnswered(answer);
  const item = marks.withLate.items.get(questionId);
  return {
    number,
    question: shownQuestion(question, rank, shows.correctAnswers),
    answer: shows.ownAnswers && answered ? answer : null,
    answered,
    receivedLate: shows.ownAnswers && late.has(questionId),
    points: shows.points && item?.kind === 'graded' ? item.points : null,
    verdict: shows.points ? verdictOf(question, item, answer ?? undefined) : null,
    ...(shows.points && creditOf(question)),
    comment: shows.points ? marks.comments.get(questionId) || null : null,
  };
}

async function lateQuestions(db: Client, attemptId: string): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    db,
    'select question_id as id from answers where attempt_id = $1 and received_late',
    [attemptId],
  );
  return new Set(found.map(({ id }) => id));
}

export function registerPreview(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, getAttemptPreview, async ({ caller, params, now }) => {
    const reading = await readAttempt(deps, caller, params.attemptId, now);
    const { attempt, test, from, shows } = reading;
    const { questions, maxPoints } = await loadContent(deps.pool, attempt.contentId);
    const marks = await computeMarks(deps.pool, attempt);
    const late = await lateQuestions(deps.pool, attempt.id);
    const counted = { rank: attemptRank(deps.state, attempt.id), marks, late };
    const student = await one<{ name: string }>(
      deps.pool,
      'select user_name as name from users where id = $1',
      [attempt.userId],
    );
    return {
      testId: test.id,
      title: test.name,
      language: languageOf(test),
      attemptId: attempt.id,
      attemptNumber: attempt.number,
      userId: attempt.userId,
      userName: student?.name ?? '',
      state: attemptState(attemptTime(attempt), now.getTime()),
      ownAnswersFrom: isoOf(from.ownAnswers),
      pointsFrom: isoOf(from.points),
      correctAnswersFrom: isoOf(from.correctAnswers),
      shows,
      score: shows.points ? marks.withLate.points : null,
      maxScore: maxPoints,
      items: questions.map((question, index) => itemOf(question, index + 1, reading, counted)),
    };
  });
}
