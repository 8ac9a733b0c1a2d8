import { ROLE } from '#contract/auth.ts';
import type { Question } from '#contract/questions.ts';
import { Q } from '#tests/school.ts';
import { audit } from './audit.ts';
import { expect, test, type Device } from './device.ts';
import { attemptOf, countingAnswers } from './journal.ts';
import { Ordering } from './pages/ordering.ts';
import { Result } from './pages/result.ts';
import { Verdict } from './pages/verdict.ts';
import { signInAndStart } from './start.ts';
import type { TestSchool } from './test-school.ts';

const MAX_BACK_OFF_MS = 45_000;

test.describe.configure({ mode: 'parallel' });

/** A student has begun a test on a phone, which has no network since. */
async function beginAndLeave(school: TestSchool, phone: Device, questions: Question[]) {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person();
  const name = 'Законы Ньютона';
  const testId = await school.test(teacher, { students: [student], name, questions });
  const page = await phone.open();
  const taking = await signInAndStart(page, student);
  await phone.goOffline();
  return { student, testId, page, taking };
}

type Lesson = Awaited<ReturnType<typeof beginAndLeave>>;

/** The network is back: the test is handed in, and its result is open. Returns the attempt. */
async function returnAndFinish(school: TestSchool, phone: Device, lesson: Lesson) {
  const { student, testId, page, taking } = lesson;
  await phone.goOnline();
  await expect(taking.onServer).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  const attempt = await attemptOf(school.pool, student);
  await page.goto(`/tests/${testId}/results/${attempt.id}`);
  await expect(new Result(page).score).toHaveText('3');
  return attempt;
}

const animals: Question = {
  questionId: Q.matching,
  kind: 'compliance',
  shuffle: false,
  reuse: true,
  text: 'К какому классу относится животное?',
  points: 3,
  left: ['Кит', 'Крот', 'Сом'].map((text, index) => ({ leftId: `${index + 1}`, text })),
  right: ['Звери', 'Рыбы', 'Птицы'].map((text, index) => ({ rightId: 'abc'.charAt(index), text })),
  pairs: ['a', 'a', 'b'].map((rightId, index) => ({ leftId: `${index + 1}`, rightId })),
};

test('one right item is tapped for two left ones on a phone without a network, and both count', async ({
  device,
  school,
}) => {
  const phone = await device('phone');
  const lesson = await beginAndLeave(school, phone, [animals]);
  const { page, taking } = lesson;
  await expect(page.getByText('Один вариант можно выбрать несколько раз')).toBeVisible();
  await taking.leftItem('Кит').tap();
  const beasts = page.getByRole('option').filter({ hasText: 'Звери' });
  await beasts.tap();
  await beasts.tap();
  await expect(beasts).toContainText('пара к 1, 2');
  await page.getByRole('option').filter({ hasText: 'Рыбы' }).tap();
  for (const name of ['Кит', 'Крот']) await expect(taking.leftItem(name)).toContainText('Звери');
  await expect(taking.onDevice).toBeVisible();
  const attempt = await returnAndFinish(school, phone, lesson);
  expect(attempt).toMatchObject({ ended: 'finished', points: 3 });
});

const rulers: Question = {
  questionId: Q.matching,
  kind: 'ordering',
  text: 'Кто правил раньше?',
  points: 3,
  items: ['Рюрик', 'Ольга', 'Владимир', 'Ярослав'].map((text, index) => ({
    itemId: `${index + 1}`,
    text,
  })),
};
const RULERS = ['Рюрик', 'Ольга', 'Владимир', 'Ярослав'];

test('items are put in order on a phone without a network, by buttons and by the handle’s keys, survive a reload and count', async ({
  device,
  school,
}, info) => {
  const phone = await device('phone');
  const lesson = await beginAndLeave(school, phone, [rulers]);
  const { page, taking } = lesson;
  const ordering = new Ordering(page.getByRole('main'), RULERS);
  await expect(ordering.rows).toHaveCount(4);
  await page.getByRole('button', { name: 'Оставить так' }).tap();
  await expect(taking.onDevice).toBeVisible();
  // Each item but the last goes up to its place, the first by the keys of its handle.
  await ordering.carry((await ordering.order()).indexOf('Рюрик') + 1, 1);
  await ordering.raise('Ольга', 2);
  await ordering.raise('Владимир', 3);
  await expect.poll(() => ordering.order()).toEqual(RULERS);
  await audit(page, info, 'ordering-phone');

  await page.reload();
  await expect.poll(() => ordering.order()).toEqual(RULERS);
  await expect(page.getByRole('button', { name: 'Оставить так' })).toHaveCount(0);
  const attempt = await returnAndFinish(school, phone, lesson);
  expect(attempt).toMatchObject({ ended: 'finished', points: 3 });
  expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
    [Q.matching]: { itemIds: ['1', '2', '3', '4'] },
  });
});

const passage = {
  passageId: '10000000-0000-4000-8000-000000000001',
  text: 'В лесу было **тихо**. Снег лежал на ветвях.',
};
const reading = (number: number, shared: boolean): Question => ({
  questionId: `00000000-0000-4000-a000-00000000000${number}`,
  kind: 'open',
  input: 'line',
  text: `Вопрос о чтении ${number}`,
  points: 1,
  accepted: [{ text: 'тихо', share: 1 }],
  tolerance: 0,
  ...(shared && { passage }),
});

test('a text that questions share stands above each of them on a phone without a network, and stays folded', async ({
  device,
  school,
}, info) => {
  const phone = await device('phone');
  const questions = [reading(1, true), reading(2, true), reading(3, false)];
  const lesson = await beginAndLeave(school, phone, questions);
  const { page, taking } = lesson;
  const shared = page.getByText('Снег лежал на ветвях.');
  const fold = page.getByText('Общий текст');
  await expect(shared).toBeVisible();
  await audit(page, info, 'passage-phone');
  await taking.goTo(2);
  await expect(page.getByText('Вопрос о чтении 2')).toBeVisible();
  await expect(shared).toBeVisible();
  await fold.tap();
  await expect(shared).toBeHidden();
  await taking.goTo(1);
  await expect(shared).toBeHidden();
  await taking.goTo(3);
  await expect(fold).toHaveCount(0);
  await page.reload();
  await taking.goTo(1);
  await expect(shared).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  const [text, field] = [await shared.boundingBox(), await taking.textAnswer.boundingBox()];
  expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(field?.x ?? 0);
  await audit(page, info, 'passage-desktop');
});

const water: Question = {
  questionId: Q.matching,
  kind: 'gaps',
  text: [
    '**Вода** кипит при [[1]] °C и становится [[2]].',
    '',
    '| вещество | плавится при $t$, °C |',
    '| --- | --- |',
    '| лёд | [[3]] |',
  ].join('\n'),
  points: 3,
  gaps: [
    { gapId: '1', weight: 1, input: 'number', accepted: [{ text: '100', share: 1 }], tolerance: 0 },
    {
      gapId: '2',
      weight: 1,
      input: 'choice',
      options: ['паром', 'льдом', 'туманом'].map((text) => ({
        optionId: text,
        text,
        isRight: text === 'паром',
      })),
    },
    { gapId: '3', weight: 1, input: 'line', accepted: [{ text: '0', share: 1 }], tolerance: 0 },
  ],
};

test('gaps of a text are filled in on a phone without a network, by typing and from a list, survive a reload and count', async ({
  device,
  school,
}, info) => {
  const phone = await device('phone');
  const lesson = await beginAndLeave(school, phone, [water]);
  const { page, taking } = lesson;
  const gap = (number: number) => page.getByLabel(`Пропуск ${number}`, { exact: true });
  await gap(1).fill('99');
  await gap(1).press('End');
  await page.keyboard.type(',5');
  await gap(2).selectOption({ label: 'паром' });
  await expect(taking.onDevice).toBeVisible();
  // An option was chosen before the typed number was stored: neither replaced the other.
  await expect(gap(1)).toHaveValue('99,5');
  await gap(1).fill('100');
  await page.getByRole('table').getByLabel('Пропуск 3').fill('0');
  await expect(taking.onDevice).toBeVisible();
  await audit(page, info, 'gaps-phone');

  await page.reload();
  await expect(gap(1)).toHaveValue('100');
  await expect(gap(2)).toHaveValue('паром');
  await expect(gap(3)).toHaveValue('0');
  for (const width of [360, 820, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `at ${width}`).toBeLessThanOrEqual(0);
  }
  const attempt = await returnAndFinish(school, phone, lesson);
  expect(attempt).toMatchObject({ ended: 'finished', points: 3 });
});
