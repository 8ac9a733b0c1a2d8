import { ROLE } from '#contract/auth.ts';
import { demoClass, demoPeople } from '#server/demo/people.ts';
import { personId } from '#server/demo/demo-accounts.ts';
import { CLASS_ID } from '#server/demo/seed-people.ts';
import { testId } from '#server/demo/seed-tests.ts';
import { execute, one } from '#server/db/query.ts';
import { expect, type Person, type TestSchool } from './test-school.ts';

export type DemoRole = 'student' | 'teacher' | 'admin';

const personOf = (role: DemoRole): Person => {
  const email = `${role}@demo.ru`;
  const { userName = '' } = demoPeople.find((person) => person.email === email) ?? {};
  return { userId: personId(email), userName, email, role: ROLE[role] };
};

/** The school of the demo: a class with results, a running test, answers to grade, projects. */
export interface DemoSchool {
  people: Readonly<Record<DemoRole, Person>>;
  /** Parameters of routes, as one of the roles fills them in. */
  params(role: DemoRole): Promise<Readonly<Record<string, string>>>;
}

/** Replaces a school's content by that of the demo. */
export async function openDemoSchool(school: TestSchool): Promise<DemoSchool> {
  await school.stopServer();
  await execute(school.pool, 'delete from users');
  await school.startServer({ DEMO: '1' });
  const people = {
    student: personOf('student'),
    teacher: personOf('teacher'),
    admin: personOf('admin'),
  };
  return {
    people,
    async params(role) {
      const own = testId('informatics');
      const attempt = await one<{ id: string }>(
        school.pool,
        'select id from attempts where test_id = $1 and user_id = $2 order by started_at limit 1',
        [own, people.student.userId],
      );
      const project = await one<{ id: string }>(
        school.pool,
        'select id from projects order by created_at limit 1',
      );
      expect(attempt).not.toBeNull();
      return {
        testId: own,
        attemptId: attempt?.id ?? '',
        projectId: project?.id ?? '',
        groupId: CLASS_ID,
        code: demoClass.joinCode,
        topic: role,
      };
    },
  };
}
