import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { writeArchive } from '#interchange/archive.ts';
import { type AiProvider, startAiProvider, WRITTEN, writtenLine } from '#tests/ai-provider.ts';
import { audit } from './audit.ts';
import { sheetIsGone } from './pages/authoring.ts';
import { Overview } from './pages/overview.ts';
import { Result } from './pages/result.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const { variant, open, compliance } = WRITTEN;
const line = {
  variant: writtenLine(variant),
  open: writtenLine(open),
  compliance: writtenLine(compliance),
};

/** The drafts of one test on the screen «С ИИ». */
class Drafts {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get list() {
    return this.#page.getByRole('region', { name: 'Черновики' });
  }

  get status() {
    return this.list.getByRole('status').first();
  }

  get problem() {
    return this.list.getByRole('alert').first();
  }

  card(text: string) {
    return this.list.getByRole('listitem').filter({ hasText: text }).first();
  }

  button(name: string) {
    return this.#page.getByRole('button', { name });
  }

  async press(text: string, name: string): Promise<void> {
    await this.card(text).getByRole('button', { name, exact: true }).click();
  }

  async wish(text: string, name: string): Promise<void> {
    await this.card(text)
      .getByRole('button', { name: /^Попросить ИИ/ })
      .click();
    await this.#page.getByRole('menuitem', { name }).click();
  }
}

/** A Word document with one paragraph, as small as Word opens it. */
const docx = (text: string) => {
  const xml = (body: string) =>
    new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${body}`);
  const office = 'http://schemas.openxmlformats.org';
  return Buffer.from(
    writeArchive(
      new Map([
        [
          '[Content_Types].xml',
          xml(
            `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
          ),
        ],
        [
          '_rels/.rels',
          xml(
            `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
          ),
        ],
        [
          'word/document.xml',
          xml(
            `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
          ),
        ],
      ]),
    ),
  );
};

async function makeDrafts(page: Page, provider: AiProvider): Promise<void> {
  const drafts = new Drafts(page);
  const form = page.getByRole('form', { name: 'Что составить' });
  await expect(form.getByRole('combobox', { name: 'Предмет' })).toHaveValue('Физика');

  // Nothing is sent before the teacher has seen the list of what will be sent.
  await drafts.button('Составить').click();
  await expect(form.getByLabel('Тема')).toBeFocused();
  await form.getByLabel('Тема').fill('Второй закон Ньютона');
  await form.getByLabel('Документ').setInputFiles({
    name: 'Параграф 12.docx',
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    buffer: docx('Ускорение тела прямо пропорционально силе.'),
  });
  await expect(form.getByLabel('Текст, по которому составить')).toHaveValue(
    'Ускорение тела прямо пропорционально силе.',
  );
  for (const kind of ['Ввод ответа или развёрнутый ответ', 'Соответствие'])
    await form.getByLabel(kind).check();
  await drafts.button('Составить').click();
  await expect(form.getByText(/Сначала прочтите/)).toBeVisible();
  await expect(form.getByText(new URL(provider.url).host)).toBeVisible();
  expect(provider.calls).toHaveLength(0);
  await drafts.button('Понятно').click();

  // Questions arrive one by one, and received ones stay when the teacher stops.
  provider.answer({ kind: 'stepwise', pieces: [line.variant, line.open, line.compliance] });
  await drafts.button('Составить').click();
  await expect(drafts.status).toHaveText('Пишем вопросы: 0 из 5');
  await expect.poll(() => provider.calls.length).toBe(1);
  provider.next();
  await expect(drafts.card('Чему равно ускорение')).toBeVisible();
  await expect(drafts.status).toHaveText('Пишем вопросы: 1 из 5');
  await form.getByRole('button', { name: 'Остановить' }).click();
  await expect(drafts.status).toHaveText('Остановлено. Составлен 1 вопрос');
  await expect.poll(() => provider.calls[0]?.isLeft).toBe(true);
  const said = provider.calls[0]?.body.messages.at(-1)?.content;
  expect(said).toContain('Второй закон Ньютона');
  expect(said).toContain('прямо пропорционально');
}

async function decide(page: Page, info: Parameters<typeof audit>[1], provider: AiProvider) {
  const drafts = new Drafts(page);
  // An error says what happened and removes nothing, even over a reload.
  const bad = writtenLine({ ...variant, options: [{ text: '1' }, { text: '2' }] });
  provider.answer({
    kind: 'errorEvent',
    pieces: [line.variant, line.open, line.compliance, bad],
    error: { message: 'overloaded' },
  });
  await drafts.button('Составить').click();
  await expect(drafts.problem).toContainText('Провайдер прервал ответ');
  await expect(drafts.problem).toContainText('Не хватает: 2 вопроса');
  await expect(drafts.list.getByText('Похоже на черновик 1')).toBeVisible();
  await page.reload();
  await expect(drafts.list.getByText('Похоже на черновик 1')).toBeVisible();
  await expect(drafts.card('Соотнесите величину')).toBeVisible();
  await drafts.list.getByText('Не подошло: 1').click();
  await expect(drafts.list.getByText('Не отмечен верный вариант')).toBeVisible();
  await audit(page, info, 'ai');
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'ai');
  await page.setViewportSize({ width: 1280, height: 800 });

  // The missing ones are requested; a limit is shown with its time.
  provider.answer({ kind: 'status', status: 429, headers: { 'retry-after': '17' } });
  await drafts.button('Дописать 2').click();
  await expect(drafts.problem).toContainText('Провайдер просит подождать 17 с');

  // Refused and restored; rephrased and restored; accepted, undone, accepted.
  const twin = drafts.list.getByRole('listitem').filter({ hasText: 'Похоже на черновик' });
  await twin.getByRole('button', { name: 'Отклонить' }).click();
  await expect(drafts.list.getByText(/^Отклонён:/)).toBeVisible();
  await drafts.button('Вернуть').click();
  await expect(twin).toBeVisible();
  await twin.getByRole('button', { name: 'Отклонить' }).click();

  const again = { ...variant, text: 'Сила 8 Н действует на тело массой 2 кг. Каково ускорение?' };
  provider.answer({
    kind: 'stream',
    pieces: [writtenLine({ ...again, options: variant.options })],
  });
  await drafts.wish('Чему равно ускорение', 'Спросить заново');
  await expect(drafts.card('Каково ускорение')).toBeVisible();
  await drafts.press('Каково ускорение', 'Вернуть прежний');
  await expect(drafts.card('Чему равно ускорение')).toBeVisible();

  await drafts.press('Чему равно ускорение', 'Принять');
  await expect(drafts.list.getByText(/^Принят, вопрос 1:/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Отменить', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await drafts.press('Чему равно ускорение', 'Изменить');
  const text = drafts.list.getByRole('textbox', { name: 'Текст вопроса' });
  await text.fill('Каково ускорение тела при $F=6$ Н и $m=2$ кг?');
  await drafts.list.getByRole('button', { name: 'Принять', exact: true }).first().click();
  await drafts.button('Принять все без замечаний: 2').click();
  await expect(drafts.list.getByText(/^Принят, вопрос 3:/)).toBeVisible();
}

async function improve(page: Page, info: Parameters<typeof audit>[1], provider: AiProvider) {
  await page.getByRole('link', { name: 'Вручную' }).click();
  const simpler = { ...open, text: 'Каков вес тела массой 1 кг, Н?' };
  provider.answer({ kind: 'stream', pieces: [writtenLine(simpler)] });
  await page
    .getByRole('button', { name: /Сколько ньютонов/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Улучшить с ИИ', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Улучшить с ИИ' });
  await sheet.getByRole('button', { name: 'Сделать легче' }).click();
  await expect(sheet.getByRole('region', { name: 'Как станет' })).toContainText('Каков вес');
  await audit(page, info, 'ai-improve');
  await sheet.getByRole('button', { name: 'Заменить' }).click();
  await sheetIsGone(page);
  await expect(page.getByText('Каков вес тела массой 1 кг, Н?').first()).toBeVisible();
}

/** The student answers on a phone without a network, and finishes once it is back. */
async function sit(page: Page, school: TestSchool, anna: Person, testId: string): Promise<void> {
  const phone = await school.line();
  await signIn(page, { ...school, network: phone }, anna);
  await page.goto(`${phone.url}/tests/${testId}/overview`);
  const overview = new Overview(page);
  await overview.untilReady();
  await overview.start.click();
  const taking = new Taking(page);
  await expect(taking.timer).toBeVisible();
  phone.rule = () => 'loseRequest';
  await page.context().setOffline(true);
  await taking.choose('3 м/с²');
  await expect(taking.onDevice).toBeVisible();
  await taking.goTo(2);
  await taking.textAnswer.fill('9,8');
  await expect(taking.onDevice).toBeVisible();
  await taking.goTo(3);
  await taking.match('сила', 'ньютон');
  await taking.match('масса', 'килограмм');
  await taking.match('работа', 'джоуль');
  await expect(taking.onDevice).toBeVisible();
  phone.rule = () => 'deliver';
  await page.context().setOffline(false);
  await expect(taking.onServer).toBeVisible();
  await taking.finish();
  await expect(new Verdict(page).mayClose).toBeVisible();
  await expect(new Result(page).score).toHaveText('6');
}

test('a test by AI: drafts stream in, are stopped, refused, requested again, changed and accepted; published, passed offline on a phone and graded', async ({
  page,
  browser,
  school,
}, info) => {
  const provider = await startAiProvider();
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const testId = await school.test(teacher, {
    students: [anna],
    questions: [],
    lifecycle: 'draft',
    visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'atOnce' },
  });
  await signIn(page, school, teacher);
  const path = `${school.network.url}/tests/manage/${testId}/edit/ai`;

  // Without a provider the screen says so and offers the next step.
  await page.goto(path);
  const absent = page.getByRole('heading', { name: 'ИИ на этом сервере не настроен' });
  await expect(absent).toBeVisible();
  await expect(page.getByRole('link', { name: 'Написать вручную' })).toBeVisible();

  await school.stopServer();
  await school.startServer({
    AI_BASE_URL: provider.url,
    AI_MODEL: 'school-1',
    AI_API_KEY: 'sk-canary-7f3a9c',
  });
  await page.goto(path);
  await makeDrafts(page, provider);
  await decide(page, info, provider);
  await improve(page, info, provider);

  await page.getByRole('button', { name: 'Опубликовать', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Опубликовать', exact: true })).toBeHidden();
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: 'ru-RU',
    // The phone goes offline.
    serviceWorkers: 'allow',
  });
  await sit(await context.newPage(), school, anna, testId);
  await context.close();
  await provider.close();
});
