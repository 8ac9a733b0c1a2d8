import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { scoreAttempt } from '#domain/scoring.ts';
import { execute, one } from '#server/db/query.ts';
import type { Builder } from './school.ts';

const MINUTE_MS = 60_000;
const OPTIONS = ['a', 'b', 'c', 'd'] as const;

/** A readable question id: the number is at its end. */
const questionId = (number: number) =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** So many questions of one point, of the kinds that a key grades, in turn. */
export function keyedQuestions(count: number): Question[] {
  return Array.from({ length: count }, (_, i): Question => {
    const base = { questionId: questionId(i + 1), text: `Вопрос о силе ${i + 1}`, points: 1 };
    if (i % 4 === 2) {
      const accepted = [{ text: '4,9', share: 1 }];
      return { ...base, kind: 'open', input: 'number', accepted, tolerance: 0.05 };
    }
    if (i % 4 === 3) {
      const ids = ['1', '2', '3'];
      return {
        ...base,
        kind: 'compliance',
        shuffle: true,
        left: ids.map((leftId) => ({ leftId, text: `Величина ${leftId}` })),
        right: ids.map((rightId) => ({ rightId, text: `Единица ${rightId}` })),
        pairs: ids.map((id) => ({ leftId: id, rightId: id })),
      };
    }
    return {
      ...base,
      kind: 'variant',
      multiple: i % 4 === 1,
      shuffle: false,
      scoring: 'partial',
      options: OPTIONS.map((optionId) => ({
        optionId,
        text: `Вариант ${optionId}`,
        isRight: optionId === 'a' || (i % 4 === 1 && optionId === 'b'),
      })),
    };
  });
}

/** An answer of a student with the given probability of success, 0 to 1; `chance` gives the next number. */
function answerTo(question: Question, skill: number, chance: () => number): Answer {
  const { questionId } = question;
  const knows = chance() < skill;
  const some = Math.floor(chance() * 4);
  switch (question.kind) {
    case 'open':
      return {
        questionId,
        kind: 'open',
        text: knows ? '4.9' : String(some + Math.floor(chance() * 50)),
      };
    case 'variant': {
      const right = question.multiple ? ['a', 'b'] : ['a'];
      return { questionId, kind: 'variant', optionIds: knows ? right : [OPTIONS[some] ?? 'd'] };
    }
    case 'compliance': {
      const shift = knows ? 0 : some;
      const pairs = question.left.map(({ leftId }, i) => ({
        leftId,
        rightId: question.right[(i + shift) % question.right.length]?.rightId ?? '1',
      }));
      return { questionId, kind: 'compliance', pairs };
    }
    default:
      throw new Error('no such questions here');
  }
}

/** A sequence of numbers that is the same each time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Finished attempts of new students on a test, as stored after marking: answers, finishes and points, by SQL.
 * The students differ in skill, the questions in difficulty.
 */
export async function makeMarkedAttempts(
  { pool, deps, clock }: Builder,
  testId: string,
  questions: readonly Question[],
  count: number,
): Promise<{ userIds: string[]; attemptIds: string[] }> {
  const chance = seeded(count);
  const content = await one<{ id: string; max: number }>(
    pool,
    `select c.id, c.max_points as max from tests t join test_contents c on c.id = t.content_id
     where t.id = $1`,
    [testId],
  );
  const students = Array.from({ length: count }, (_, number) => {
    const skill = chance();
    const answers = questions.map((question, i) =>
      answerTo(question, skill * 0.6 + (1 - (i + 1) / (questions.length + 1)) * 0.4, chance),
    );
    const score = scoreAttempt(
      questions,
      new Map(answers.map((a) => [a.questionId, a])),
      new Map(),
    );
    const minutes = 10 + Math.floor(chance() * 30);
    const name = `Ученик ${String(number + 1).padStart(4, '0')}`;
    return {
      id: deps.newId(),
      attempt: deps.newId(),
      finish: deps.newId(),
      name,
      minutes,
      answers,
      score,
    };
  });
  const column = <T>(of: (student: (typeof students)[number]) => T) => students.map(of);
  const startedAt = new Date(clock.now.getTime() - 60 * MINUTE_MS);
  await execute(
    pool,
    `insert into users (id, email, user_name, role, password_hash, created_at)
     select id, id || '@school.test', name, 0, 'none', $3
     from unnest($1::uuid[], $2::text[]) as given(id, name)`,
    [column(({ id }) => id), column(({ name }) => name), clock.now],
  );
  await execute(
    pool,
    `insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
       late_window_seconds, ended, ended_at, finish_operation, default_stream, active_stream,
       active_epoch, points, points_without_late, graded_max)
     select id, $5, user_id, $6, 1, $7, $7::timestamptz + interval '40 minutes', 900, 'finished',
       $7::timestamptz + minutes * interval '1 minute', finish, finish, finish, 1, points, points, $8
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::integer[], $9::numeric[])
       as given(id, user_id, finish, minutes, points)`,
    [
      column(({ attempt }) => attempt),
      column(({ id }) => id),
      column(({ finish }) => finish),
      column(({ minutes }) => minutes),
      testId,
      content?.id,
      startedAt,
      content?.max,
      column(({ score }) => score.points),
    ],
  );
  await execute(
    pool,
    `insert into operations (attempt_id, id, stream, epoch, sequence, rank, kind, body, body_digest,
       outcome, written_at, received_at)
     select id, finish, finish, 1, 1, 1, 'finish', '{"reason":"student"}', '\\x00', 'stored',
       $4::timestamptz + minutes * interval '1 minute', $4::timestamptz + minutes * interval '1 minute'
     from unnest($1::uuid[], $2::uuid[], $3::integer[]) as given(id, finish, minutes)`,
    [
      column(({ attempt }) => attempt),
      column(({ finish }) => finish),
      column(({ minutes }) => minutes),
      startedAt,
    ],
  );
  for (let from = 0; from < count; from += 200) {
    const part = students.slice(from, from + 200);
    const given = part.flatMap(({ attempt, answers }) =>
      answers.map((answer) => ({ attempt, answer, operation: deps.newId() })),
    );
    await execute(
      pool,
      `insert into answers (attempt_id, question_id, operation_id, epoch, sequence, rank, ordinal, body,
         received_late, received_at)
       select attempt, (body->>'questionId')::uuid, operation, 1, 1, 1, 1, body, false, $4
       from unnest($1::uuid[], $2::uuid[], $3::jsonb[]) as given(attempt, operation, body)`,
      [
        given.map(({ attempt }) => attempt),
        given.map(({ operation }) => operation),
        given.map(({ answer }) => JSON.stringify(answer)),
        clock.now,
      ],
    );
  }
  await pool.query('analyze');
  return { userIds: column(({ id }) => id), attemptIds: column(({ attempt }) => attempt) };
}
