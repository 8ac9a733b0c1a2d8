import type { Answer } from '#contract/answers.ts';
import type { AttemptResult, ItemVerdict } from '#contract/results.ts';
import type { Question } from '#contract/questions.ts';
import { attemptState } from '#domain/deadline.ts';
import { isAnswered } from '#domain/answered.ts';
import { withoutCredit } from '#domain/bank.ts';
import { countedPoints, scoreItem, type ItemScore } from '#domain/scoring.ts';
import { one, type Client } from '#server/db/query.ts';
import { attemptClosesAt, attemptTime, type Attempt } from '#server/passing/attempt.ts';
import { loadContent } from '#server/passing/content.ts';
import { computeMarks, type AttemptMarks } from '#server/passing/counting.ts';
import { isoOf, type ResultReading } from './reading.ts';

interface Arrivals {
  readonly receivedLate: number;
  readonly held: number;
  readonly lastReceivedAt: Date | null;
  readonly finishWrittenAt: Date | null;
}

async function arrivalsOf(db: Client, attempt: Attempt): Promise<Arrivals> {
  const found = await one<Arrivals>(
    db,
    `select
       (select count(*) from answers where attempt_id = $1 and received_late) as "receivedLate",
       (select count(*) from operations
        where attempt_id = $1 and kind = 'answer' and outcome = 'held' and decision is null) as held,
       (select max(received_at) from operations where attempt_id = $1 and kind = 'answer') as "lastReceivedAt",
       (select written_at from operations where attempt_id = $1 and id = $2) as "finishWrittenAt"`,
    [attempt.id, attempt.finishOperation],
  );
  return found ?? { receivedLate: 0, held: 0, lastReceivedAt: null, finishWrittenAt: null };
}

/** The status of a question's points, or of its answer by the key where it is left out; a missing grade is `pending`. */
export function verdictOf(
  question: Question,
  item: ItemScore | undefined,
  answer: Answer | undefined,
): ItemVerdict {
  const score =
    question.credit === 'nobody' ? scoreItem(withoutCredit(question), answer, undefined) : item;
  if (score?.kind === 'pending') return 'pending';
  const points = score?.points ?? 0;
  if (!isAnswered(answer) && points === 0) return 'unanswered';
  if (points >= question.points) return 'right';
  return points > 0 ? 'partial' : 'wrong';
}

/** Whether everybody or nobody is credited, where it is so. */
export const creditOf = ({ credit }: Question) => (credit === undefined ? {} : { credit });

function itemsOf(questions: readonly Question[], marks: AttemptMarks) {
  return questions.map((question, index) => {
    const item = marks.withLate.items.get(question.questionId);
    return {
      questionId: question.questionId,
      number: index + 1,
      points: item?.kind === 'graded' ? item.points : null,
      maxPoints: countedPoints(question),
      verdict: verdictOf(question, item, marks.answers.get(question.questionId)),
      ...creditOf(question),
      comment: marks.comments.get(question.questionId) || null,
    };
  });
}

/** One attempt's result, with what this reader may see of it now. */
export async function attemptResult(
  db: Client,
  { test, attempt, now, from, shows }: ResultReading,
): Promise<AttemptResult> {
  const showPoints = shows.points;
  const { questions, maxPoints } = await loadContent(db, attempt.contentId);
  const marks = await computeMarks(db, attempt);
  const arrivals = await arrivalsOf(db, attempt);
  const student = await one<{ name: string; attemptsCount: number }>(
    db,
    `select u.user_name as name, coalesce(p.attempts_count, t.attempts_count) as "attemptsCount"
     from users u join tests t on t.id = $2
       left join personal_terms p on p.test_id = t.id and p.user_id = u.id
     where u.id = $1`,
    [attempt.userId, attempt.testId],
  );
  const numbers = (matches: (question: Question) => boolean) =>
    questions.flatMap((question, index) => (matches(question) ? [index + 1] : []));
  const unanswered = numbers((q) => !isAnswered(marks.answers.get(q.questionId)));
  const pending = new Set(marks.withLate.pendingQuestionIds);
  const hasLate = arrivals.receivedLate > 0;
  return {
    testId: test.id,
    title: test.name,
    attemptId: attempt.id,
    attemptNumber: attempt.number,
    trial: attempt.trial,
    attemptsCount: student?.attemptsCount ?? 1,
    userId: attempt.userId,
    userName: student?.name ?? '',
    state: attemptState(attemptTime(attempt), now.getTime()),
    end: attempt.ended,
    startedAt: attempt.startedAt.toISOString(),
    deadline: attempt.deadline.toISOString(),
    countsUntil: attemptClosesAt(attempt).toISOString(),
    finishedAt: (arrivals.finishWrittenAt ?? attempt.endedAt)?.toISOString() ?? null,
    lastReceivedAt: arrivals.lastReceivedAt?.toISOString() ?? null,
    score: showPoints ? marks.withLate.points : null,
    maxScore: maxPoints,
    gradedMaxScore: showPoints ? marks.withLate.gradedMax : null,
    totalQuestions: questions.length,
    answeredQuestions: questions.length - unanswered.length,
    unansweredNumbers: unanswered,
    pendingNumbers: showPoints ? numbers((q) => pending.has(q.questionId)) : [],
    receivedLate: arrivals.receivedLate,
    held: arrivals.held,
    scoreWithoutLate: showPoints && hasLate ? marks.withoutLate.points : null,
    correctAnswersFrom: isoOf(from.correctAnswers),
    items: showPoints ? itemsOf(questions, marks) : [],
  };
}
