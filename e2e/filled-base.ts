import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import type { Person, TestSchool } from './test-school.ts';

const SUBJECTS = ['physics', 'math', 'history'];
const DIFFICULTIES = ['easy', 'medium', 'hard'];
const NAMES = ['Законы Ньютона', 'Квадратичная функция', 'Великие реформы'];

/** A base of tests open to everyone, a third in each of three subjects: «Законы Ньютона 1» … */
export async function openFilledBase(
  school: TestSchool,
  count: number,
): Promise<{ teacher: Person; anna: Person }> {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const first = await school.test(teacher, { students: [], openToAll: true });
  await execute(
    school.pool,
    `insert into tests (id, owner_id, lifecycle, name, theme, topic, difficulty, start_time, end_time,
       pass_seconds, open_to_all, created_at, updated_at)
     select gen_random_uuid(), owner_id, 'active', '', '', '', '', start_time, end_time, pass_seconds,
       true, created_at - n * interval '1 minute', updated_at
     from tests, generate_series(1, $2::integer - 1) n where id = $1`,
    [first, count],
  );
  await execute(
    school.pool,
    `insert into test_contents (id, test_id, questions, max_points, created_at)
     select gen_random_uuid(), t.id, c.questions, c.max_points, c.created_at
     from tests t, test_contents c where c.test_id = $1 and t.id <> $1`,
    [first],
  );
  await execute(
    school.pool,
    `update tests t set content_id = c.id, name = ($1::text[])[1 + (place - 1) % 3] || ' ' || (1 + (place - 1) / 3),
       theme = ($2::text[])[1 + (place - 1) % 3], difficulty = ($3::text[])[1 + ((place - 1) / 3) % 3]
     from test_contents c,
       (select id, row_number() over (order by created_at desc)::integer as place from tests) p
     where c.test_id = t.id and p.id = t.id`,
    [NAMES, SUBJECTS, DIFFICULTIES],
  );
  return { teacher, anna };
}

/** Assigns every test of the base to a student. */
export const assignAll = (school: TestSchool, studentId: string) =>
  execute(
    school.pool,
    `insert into assignments (id, test_id, user_id, created_at)
     select gen_random_uuid(), id, $1, now() from tests`,
    [studentId],
  );
