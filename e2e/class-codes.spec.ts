import type { Page } from '@playwright/test';
import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { makeGroup } from '#tests/school.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { BoardPage } from './pages/board.ts';
import { OfflineStart } from './pages/offline-start.ts';
import { Taking } from './pages/taking.ts';
import { signInToOverview, TITLE } from './start.ts';
import type { Person, TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

/** A test for two classes of a student each. */
async function makeTwoClasses(school: TestSchool, teacher: Person, [anna, boris]: Person[]) {
  const { pool } = school;
  const builder = { pool, deps: { newId: () => v7() }, clock: { now: new Date() } };
  const testId = await school.test(teacher, { students: [], name: TITLE, offlineStart: true });
  for (const [name, student] of [
    ['9А', anna],
    ['9Б', boris],
  ] as const) {
    const groupId = await makeGroup(builder, teacher, student ? [student] : [], name);
    await execute(
      pool,
      'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, now())',
      [v7(), testId, groupId],
    );
  }
  return testId;
}

/** Shows the chosen code. Returns it. */
async function showChosen(page: Page): Promise<string> {
  const panel = page.getByRole('region', { name: 'Начало без сети' });
  await panel.getByRole('button', { name: 'Показать код' }).click();
  const code = panel.getByRole('img', { name: /^Код начала/ });
  await expect(code).toBeVisible();
  return (await code.textContent()) ?? '';
}

test('a class with a code of its own begins by it, and not by the code of another class', async ({
  device,
  school,
  page,
}, testInfo) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const boris = await school.person({ userName: 'Борис Орлов' });
  const testId = await makeTwoClasses(school, teacher, [await school.person(), boris]);
  await signIn(page, school, teacher);
  await new BoardPage(page).open(school.network.url, testId);
  const panel = page.getByRole('region', { name: 'Начало без сети' });
  const choice = panel.getByRole('combobox', { name: 'Для кого код' });
  await choice.selectOption('9Б');
  await audit(page, testInfo, 'common-code');
  await panel.getByRole('button', { name: 'Отдельный код для класса' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Сделать' }).click();
  await expect(choice.locator('option:checked')).toHaveText('9Б: отдельный код');
  await expect(page).toHaveURL(/[?&]class=/);

  const phone = await device('phone');
  const student = await phone.open();
  await signInToOverview(student, boris);
  const offline = new OfflineStart(student);
  await expect(offline.ready).toBeVisible();
  await phone.goOffline();

  await choice.selectOption('Все остальные: общий код');
  const common = await showChosen(page);
  await choice.selectOption('9Б: отдельный код');
  const own = await showChosen(page);
  await audit(page, testInfo, 'class-code');
  await panel.getByRole('button', { name: 'На весь экран' }).click();
  await expect(page.getByRole('dialog', { name: 'Код начала, 9Б' })).toContainText(
    'Вслух, для 9Б: ',
  );
  await audit(page, testInfo, 'class-code-board');

  await offline.open.click();
  await offline.enter(common);
  await expect(offline.wrongCode).toBeVisible();
  await offline.enterUntilTried(own);
  await expect(new Taking(student).timer).toBeVisible();
});
