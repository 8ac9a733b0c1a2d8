import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { saveBankEntry } from '#contract/bank.ts';
import { getDraft } from '#contract/drafts.ts';
import type { Question } from '#contract/questions.ts';
import { liveCall } from '#tests/live-call.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { selectWord } from './pages/editor.ts';
import { Verdict } from './pages/verdict.ts';
import type { Person, TestSchool } from './test-school.ts';
import { signInAndStart, TITLE } from './start.ts';
import { signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const id = (number: number) => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;

/** A question with an answer that can be computed from its text. */
const stored = (number: number): Question => ({
  questionId: id(number),
  kind: 'open',
  input: 'line',
  text: `Сколько будет ${number} + 100?`,
  points: 2,
  topic: 'Сложение',
  difficulty: 'easy',
  accepted: [{ text: String(number + 100), share: 1 }],
  tolerance: 0,
});

async function fillBank(school: TestSchool, token: string): Promise<void> {
  for (const number of [1, 2, 3, 4]) {
    const { status } = await liveCall(
      school.network.url,
      saveBankEntry,
      { params: { entryId: id(number) }, body: { question: stored(number), theme: 'math' } },
      { token },
    );
    expect(status).toBe(200);
  }
}

/** Questions of the working copy on the server, alternatives included. */
async function storedRows(school: TestSchool, token: string, testId: string): Promise<number> {
  const input = { params: { id: testId } };
  const { body } = await liveCall(school.network.url, getDraft, input, { token });
  return body.questions.length;
}

/** A template of a product, filled into an empty form. */
async function writeTemplate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Новый шаблон' }).click();
  const form = page.getByRole('form', { name: 'Шаблон' });
  await form.getByLabel('Название шаблона').fill('Произведение');
  await form
    .getByLabel('Текст вопроса', { exact: true })
    .fill('Сколько будет ${{a}} \\cdot {{b}}$?');
  const answer = form.getByLabel('Верный ответ');
  await answer.fill('a */ b');
  await answer.blur();
  await expect(form.getByText('«/» стоит не на месте (знак 4)')).toBeVisible();
  await answer.fill('a * b');
  await expect(page.getByText('Пример 1 из 3')).toBeVisible();
  await page.getByRole('button', { name: 'Ещё пример' }).click();
  await expect(page.getByText('Пример 2 из 3')).toBeVisible();
}

const drawn = (page: Page) => page.getByRole('list', { name: 'Что подобрано' });

/** The content of the question shown: two numbers, and whether they are to be multiplied. */
async function rightAnswer(page: Page): Promise<{ text: string; answer: string }> {
  const text = (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');
  const sum = /Сколько будет (\d+) \+ (\d+)/.exec(text);
  if (sum) return { text: sum[0], answer: String(Number(sum[1]) + Number(sum[2])) };
  const tex = await page.getByRole('main').locator('.katex-html').first().textContent();
  const [a, b] = (tex?.match(/\d+/g) ?? []).map(Number);
  if (a === undefined || b === undefined) throw new Error(`no numbers in ${text}`);
  return { text: `${a} · ${b}`, answer: String(a * b) };
}

/** Answers all four questions rightly; returns the questions in the order of the test. */
async function answerAll(page: Page, taking: Taking): Promise<string[]> {
  const seenTexts: string[] = [];
  for (const number of [1, 2, 3, 4]) {
    await taking.goTo(number);
    const { text, answer } = await rightAnswer(page);
    seenTexts.push(text);
    await taking.textAnswer.fill(answer);
    await expect(taking.onDevice.or(taking.onServer)).toBeVisible();
  }
  return seenTexts;
}

test('a test is drawn from the bank and a template written here, with a variant for each student; two pass it, one offline on a phone, and both are graded', async ({
  page,
  device,
  school,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const boris = await school.person({ userName: 'Борис Ильин' });
  const testId = await school.test(teacher, {
    students: [anna, boris],
    questions: [],
    lifecycle: 'draft',
  });
  const { token } = await signIn(page, school, teacher);
  await fillBank(school, token);
  await page.goto(`${school.network.url}/tests/manage/${testId}/edit/generate`);

  await writeTemplate(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'template');
  await page.getByRole('button', { name: 'Сохранить шаблон' }).click();

  await page.getByLabel('Каждому ученику свой вариант').check();
  await page.getByLabel('Вариантов', { exact: true }).fill('12');
  await page.getByLabel('Любых').fill('3');
  await page.getByLabel('Зерно подбора').fill('ВЕСНА');
  await page.getByRole('button', { name: 'Подобрать', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Подобрано' })).toBeFocused();
  await expect(drawn(page).getByText('12 вариантов одного вопроса')).toBeVisible();
  await audit(page, info, 'generate');
  await page.setViewportSize({ width: 1280, height: 800 });
  await audit(page, info, 'generate');

  const texts = () =>
    drawn(page)
      .getByText(/Сколько будет \d+ \+ 100/)
      .allInnerTexts();
  const before = await texts();
  expect(before).toHaveLength(3);
  await drawn(page).getByRole('button', { name: 'Заменить' }).first().click();
  await expect.poll(async () => (await texts())[0]).not.toBe(before[0]);
  const after = await texts();
  expect(after.slice(1)).toEqual(before.slice(1));
  expect(before).not.toContain(after[0]);
  await page.getByRole('button', { name: 'Добавить в тест 4 вопроса' }).click();
  await expect(page.getByText('Добавлено 4 вопроса')).toBeVisible();
  await expect.poll(() => storedRows(school, token, testId)).toBe(15);

  await page.reload();
  await expect(page.getByLabel('Зерно подбора')).toHaveValue('ВЕСНА');
  await expect(page.getByLabel('Вариантов', { exact: true })).toHaveValue('12');
  await page.getByRole('button', { name: 'Опубликовать' }).click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();

  const phone = await device('phone');
  const small = await phone.open();
  const offline = await signInAndStart(small, boris, TITLE);
  await phone.goOffline();
  const textsOfBoris = await answerAll(small, offline);
  await offline.finish();
  await expect(new Verdict(small).stay).toBeVisible();

  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  const textsOfAnna = await answerAll(page, taking);
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  await phone.goOnline();
  await expect(new Verdict(small).mayClose).toBeVisible();

  expect(textsOfAnna.slice(0, 3)).toEqual(textsOfBoris.slice(0, 3));
  expect(textsOfAnna[3]).not.toBe(textsOfBoris[3]);
  const pointsOf = async (person: Person) => (await school.attempt(person))?.points;
  expect(await pointsOf(anna)).toBe(7);
  await expect.poll(() => pointsOf(boris)).toBe(7);
});

/** A template with a number, a word and a choice in its text, filled into an empty form. */
async function writeGapsTemplate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Новый шаблон' }).click();
  const form = page.getByRole('form', { name: 'Шаблон' });
  await form.getByLabel('Название шаблона').fill('Сумма с пропусками');
  await form.getByLabel('Баллы за вопрос').fill('3');
  const text = form.getByLabel('Текст вопроса', { exact: true });
  await text.fill('Число {{a + b}} для {{a}} и {{b}} называют суммой.');
  await form.getByLabel('Как отвечают').selectOption({ label: 'Пропуски' });
  const add = form.getByRole('button', { name: 'Добавить пропуск' });
  for (const word of ['{{a + b}}', 'суммой']) {
    await selectWord(text, word);
    await add.click();
  }
  await expect(text).toHaveValue('Число [[1]] для {{a}} и {{b}} называют [[2]].');
  await expect(form.getByLabel('Верное число в пропуске 1')).toHaveValue('a + b');
  await form.getByLabel('Верные слова в пропуске 2').fill('суммой\nрезультатом сложения');
  // A mark typed by hand gets its gap, too.
  await text.fill(`${await text.inputValue()} Разность [[3]] нуля.`);
  await form.getByLabel('Что в пропуске 3').selectOption({ label: 'Выбор из списка' });
  await form.getByLabel('Верный вариант в пропуске 3').fill('{{a - b}}: больше');
  await form.getByLabel('Неверные варианты в пропуске 3').fill('{{b - a}}: меньше\nвсегда равна');
  const condition = form.getByLabel('Условие');
  await condition.fill('a < b and a > b');
  const example = page.getByRole('region', { name: 'Пример вопроса' });
  await expect(example.getByText('условие «a < b and a > b» не выполняется')).toBeVisible();
  await condition.fill('a > b');
  await expect(example.getByText('Пример 1 из 3')).toBeVisible();
  await expect(example.getByLabel('Пропуск 1')).toBeVisible();
}

/** A template of an order by values, filled into an empty form. */
async function writeOrderingTemplate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Новый шаблон' }).click();
  const form = page.getByRole('form', { name: 'Шаблон' });
  await form.getByLabel('Название шаблона').fill('Порядок чисел');
  await form.getByLabel('Баллы за вопрос').fill('2');
  await form.getByLabel('Текст вопроса', { exact: true }).fill('Расположите по возрастанию');
  await form.getByLabel('Как отвечают').selectOption({ label: 'Порядок' });
  await form.getByLabel('Верный порядок').selectOption({ label: 'По возрастанию значений' });
  for (const [index, value] of ['a * b', 'a - b', 'a + b + 1'].entries()) {
    await form.getByLabel(`Пункт ${index + 1}`, { exact: true }).fill(`{{${value}}} м`);
    await form.getByLabel(`Значение пункта ${index + 1}`).fill(value);
  }
  await expect(page.getByText('Пример 1 из 3')).toBeVisible();
}

test('templates of gaps and of an order are written here and drawn with a variant for each student; a phone fills and orders its own, and is graded', async ({
  page,
  device,
  school,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const testId = await school.test(teacher, {
    students: [anna],
    questions: [],
    lifecycle: 'draft',
  });
  const { token } = await signIn(page, school, teacher);
  await page.goto(`${school.network.url}/tests/manage/${testId}/edit/generate`);
  const save = page.getByRole('button', { name: 'Сохранить шаблон' });

  await writeGapsTemplate(page);
  await audit(page, info, 'template-gaps');
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'template-gaps');
  await save.click();
  await writeOrderingTemplate(page);
  await audit(page, info, 'template-ordering');
  await page.setViewportSize({ width: 1280, height: 800 });
  await save.click();

  const shares = page.getByLabel('Каждому ученику свой вариант');
  await expect(shares).toHaveCount(2);
  for (const at of [0, 1]) {
    await shares.nth(at).check();
    await page.getByLabel('Вариантов', { exact: true }).nth(at).fill('6');
  }
  await page.getByRole('button', { name: 'Подобрать', exact: true }).click();
  await expect(drawn(page).getByText('6 вариантов одного вопроса')).toHaveCount(2);
  await audit(page, info, 'generate-kinds');
  await page.getByRole('button', { name: 'Добавить в тест 2 вопроса' }).click();
  await expect.poll(() => storedRows(school, token, testId)).toBe(12);
  await page.getByRole('button', { name: 'Опубликовать' }).click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();

  const phone = await device('phone');
  const small = await phone.open();
  const taking = await signInAndStart(small, anna, TITLE);
  const main = small.getByRole('main');
  for (const number of [1, 2]) {
    await taking.goTo(number);
    if (await small.getByLabel('Пропуск 1').isVisible()) {
      const [, a, b] = /для (\d+) и (\d+)/.exec(await main.innerText()) ?? [];
      await small.getByLabel('Пропуск 1').fill(String(Number(a) + Number(b)));
      await small.getByLabel('Пропуск 2').fill('Результатом  сложения');
      await small.getByLabel('Пропуск 3').selectOption(`${Number(a) - Number(b)}: больше`);
    } else {
      const items = main.getByRole('listitem').filter({ hasText: ' м' });
      const order = async () =>
        (await items.allInnerTexts()).map((text) =>
          Number(/([\d−]+) м/.exec(text)?.[1]?.replace('−', '-')),
        );
      const right = (await order()).toSorted((one, other) => one - other);
      for (const [place, value] of right.entries()) {
        for (let at = (await order()).indexOf(value); at > place; at -= 1) {
          await items.nth(at).getByRole('button', { name: /^Выше/ }).click();
          await expect.poll(async () => (await order()).indexOf(value)).toBe(at - 1);
        }
      }
      const keep = small.getByRole('button', { name: 'Оставить так' });
      if (await keep.isVisible()) await keep.click();
    }
    await expect(taking.onServer).toBeVisible();
  }
  await taking.finish();
  await expect(new Verdict(small).mayClose).toBeVisible();
  await expect.poll(async () => (await school.attempt(anna))?.points).toBe(5);
});
