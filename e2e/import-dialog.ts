import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import type { Question } from '#contract/questions.ts';
import { one } from '#server/db/query.ts';
import type { Person, TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

export async function openEditor(
  page: Page,
  school: TestSchool,
): Promise<{ teacher: Person; testId: string }> {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const testId = await school.test(teacher, { students: [], questions: [], lifecycle: 'draft' });
  await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/edit/custom`);
  return { teacher, testId };
}

export const sheet = (page: Page) => page.getByRole('dialog');
export const pick = (page: Page, name: string, bytes: Buffer) =>
  sheet(page)
    .getByLabel('Файл с вопросами')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });

export const stored = (school: TestSchool, testId: string) =>
  one<{ questions: Question[] }>(
    school.pool,
    'select c.questions from tests t join test_contents c on c.id = t.content_id where t.id = $1',
    [testId],
  );

export async function openMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Ещё', exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
