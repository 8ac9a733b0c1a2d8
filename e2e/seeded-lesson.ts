import { expect } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { execute, one } from '#server/db/query.ts';
import type { Person, TestSchool } from './test-school.ts';

const NAMES = [
  'Белов Тимофей',
  'Абрамов Лев',
  'Ёлкина Дарья',
  'Жуков Даниил',
  'Преображенская Елизавета',
];

export interface Lesson {
  teacher: Person;
  students: readonly Person[];
  testId: string;
}

export async function openLesson(
  school: TestSchool,
  names: readonly string[] = NAMES,
): Promise<Lesson> {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const students: Person[] = [];
  for (const userName of names) students.push(await school.person({ userName }));
  return { teacher, students, testId: await school.test(teacher, { students }) };
}

/** Attempts in every state, as devices in a lesson would leave them. */
export async function seedAttempts(
  school: TestSchool,
  students: readonly Person[],
  testId: string,
) {
  const rows = [
    // Белов: no contact for six minutes, two answers on the device.
    { student: students[0], head: 2, minutes: 6, ended: null },
    // Абрамов: writes, last contact a moment ago.
    { student: students[1], head: 0, minutes: 0, ended: null },
    // Ёлкина: finished.
    { student: students[2], head: 0, minutes: 3, ended: 'finished' },
    // Преображенская: in contact, but three answers do not arrive.
    { student: students[4], head: 3, minutes: 0, ended: null, sinceMinutes: 4 },
  ];
  for (const { student, head, minutes, ended, sinceMinutes = minutes } of rows) {
    await execute(
      school.pool,
      `with made as (
         insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
           late_window_seconds, ended, ended_at, default_stream, active_stream, active_epoch)
         select gen_random_uuid(), t.id, $2, t.content_id, 1, now() - interval '10 minutes',
           now() + interval '30 minutes', 900, $5::text, case when $5::text is null then null else now() end,
           gen_random_uuid(), gen_random_uuid(), 1
         from tests t where t.id = $1 returning id, active_stream)
       insert into streams (attempt_id, id, epoch, created_at, last_heard_at, head, head_at, head_since)
       select id, active_stream, 1, now() - interval '10 minutes',
         now() - $4 * interval '1 minute', $3, now() - $4 * interval '1 minute',
         now() - $6 * interval '1 minute' from made`,
      [testId, student?.userId, head, minutes, ended, sinceMinutes],
    );
  }
}

/** As if the server had been away for most of seven minutes, until it starts here. */
export async function stopForMinutes(
  school: TestSchool,
  settings?: Readonly<Record<string, string>>,
): Promise<void> {
  const known = () => one(school.pool, 'select 1 from server_uptime');
  await expect.poll(known).not.toBeNull();
  await school.stopServer();
  await execute(
    school.pool,
    `update server_uptime set started_at = now() - interval '1 hour',
       last_seen_at = now() - interval '6 minutes 20 seconds'`,
  );
  await school.startServer(settings);
}
