import { uploadPicture } from '#contract/pictures.ts';
import { findImported } from '#contract/bank.ts';
import { one, rows } from '#server/db/query.ts';
import { audit } from './audit.ts';
import { openEditor, pick, sheet, stored } from './import-dialog.ts';
import { expect, test, type TestSchool } from './test-school.ts';

test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const QUESTIONS = 2_000;
const PICTURES = 300;
/** Number of pictures uploaded in parallel. */
const AT_ONCE = 3;
/** It has no accepted answer. */
const KEYLESS = 1_500;

/** A unique small picture: its number in black and white columns. */
function bitmap(number: number): Buffer {
  const [width, height] = [72, 8];
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + width * height * 3, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  const row = Array.from({ length: width }, (_, x) => {
    const shade = (number >> Math.floor(x / 8)) & 1 ? 255 : 0;
    return [shade, shade, shade];
  });
  return Buffer.concat([head, Buffer.from(Array.from({ length: height }, () => row).flat(2))]);
}

const question = (number: number) => {
  const hasPicture = number <= PICTURES;
  const shown = hasPicture ? `<img src="@@PLUGINFILE@@/${number}.bmp" alt="схема ${number}">` : '';
  const file = hasPicture
    ? `<file name="${number}.bmp" path="/" encoding="base64">${bitmap(number).toString('base64')}</file>`
    : '';
  const share = number === KEYLESS ? 0 : 100;
  return `<question type="shortanswer"><name><text/></name>
<questiontext format="html"><text><![CDATA[<p>Задача ${number}. ${shown}</p>]]></text>${file}</questiontext>
<defaultgrade>1</defaultgrade><answer fraction="${share}"><text>${number}</text></answer></question>`;
};

const bank = () => {
  const all = Array.from({ length: QUESTIONS }, (_, index) => question(index + 1));
  return Buffer.from(`<?xml version="1.0"?><quiz>${all.join('\n')}</quiz>`);
};

/** The numbers of the questions that a test has, in their order. */
const numbersIn = async (school: TestSchool, testId: string) =>
  ((await stored(school, testId))?.questions ?? []).map(({ text }) =>
    Number(/Задача (\d+)/.exec(text)?.[1]),
  );

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('a bank of 2,000 questions with 300 pictures comes in by parts; what was stopped or cut off goes on, and nothing is doubled', async ({
  page,
  school,
}, info) => {
  // Hundreds of pictures drawn on the page would block its buttons, so a worker draws them.
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.toBlob = () => {
      throw new Error('drawn on the page');
    };
  });
  const { teacher, testId } = await openEditor(page, school);
  const { network } = school;
  const dialog = sheet(page);
  const list = dialog.getByRole('list', { name: 'Войдут' });
  const row = (place: number) => list.locator(`[aria-posinset="${place}"]`);
  const file = bank();

  // The file is read in a worker, and the reading can be stopped.
  network.rule = ({ path }) => (path === findImported.path ? 'silence' : 'deliver');
  await page.getByRole('button', { name: 'Импорт из файла' }).click();
  await pick(page, 'банк.xml', file);
  await expect(dialog.getByText(/Прочитано 2\s000 вопросов/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Отмена' }).click();
  await expect(dialog.getByLabel('Файл с вопросами')).toBeAttached();
  network.rule = () => 'deliver';
  await pick(page, 'банк.xml', file);
  await expect(dialog.getByRole('button', { name: 'Добавить 300 вопросов' })).toBeVisible();

  // All questions are in the list, and few of them in the document.
  await expect(row(1)).toHaveAttribute('aria-setsize', `${QUESTIONS}`);
  await row(1).hover();
  await page.mouse.wheel(0, 1_000_000);
  await expect(row(QUESTIONS)).toBeInViewport();
  await expect(row(QUESTIONS)).toContainText(`Задача ${QUESTIONS}.`);
  expect(await list.locator('> li').count()).toBeLessThan(60);
  await dialog.getByRole('button', { name: 'К следующему с замечанием' }).click();
  await expect(row(KEYLESS).getByRole('checkbox')).toBeFocused();
  await expect(row(KEYLESS)).toBeInViewport();
  await expect(row(KEYLESS)).toContainText('Верных ответов не осталось');
  await page.keyboard.press('Tab');
  await expect(row(KEYLESS + 1).getByRole('checkbox')).toBeFocused();
  await page.mouse.wheel(0, -1_000_000);
  await expect(row(1)).toBeInViewport();
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'big-bank-phone');
  await page.setViewportSize({ width: 1280, height: 800 });

  // Pictures: first stopped by hand while the network is silent, then cut off, then delivered.
  let delivered = 0;
  const upTo = (most: number, then: 'silence' | 'loseRequest') => {
    network.rule = ({ path }) => {
      if (path !== uploadPicture.path) return 'deliver';
      if (delivered >= most) return then;
      delivered += 1;
      return 'deliver';
    };
  };
  upTo(40, 'silence');
  await dialog.getByRole('button', { name: 'Добавить 300 вопросов' }).click();
  await expect(dialog.getByText(`Картинка 41 из ${PICTURES}`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Остановить' }).click();
  await expect(dialog.getByText(`Готово картинок: 40 из ${PICTURES}`)).toBeVisible();
  upTo(150, 'loseRequest');
  await dialog.getByRole('button', { name: 'Продолжить' }).click();
  await expect(dialog.getByText('Сервер не отвечает. Проверьте сеть и повторите.')).toBeVisible();
  await expect(dialog.getByText(/Готово картинок: 1[45]\d из 300/)).toBeVisible();
  expect(await numbersIn(school, testId)).toEqual([]);

  // A reload in between loses none of them.
  await page.reload();
  upTo(Infinity, 'loseRequest');
  await pick(page, 'банк.xml', file);
  await dialog.getByRole('button', { name: 'Добавить 300 вопросов' }).click();
  await expect(dialog.getByText('Добавлено: 300 вопросов')).toBeVisible({ timeout: 90_000 });
  await expect(dialog.getByText(/Осталось в файле: 1\s700 вопросов/)).toBeVisible();
  await dialog.getByRole('button', { name: 'К вопросам' }).click();
  await expect.poll(() => numbersIn(school, testId)).toEqual(range(1, 300));
  // Each picture was sent once, except those in transit when the network failed, and belongs to one question.
  expect(delivered - PICTURES).toBeLessThan(AT_ONCE);
  const keys = await rows<{ key: string }>(
    school.pool,
    'select key from pictures where owner_id = $1',
    [teacher.userId],
  );
  const questions = JSON.stringify((await stored(school, testId))?.questions);
  const named = [...questions.matchAll(/\(file:([0-9a-f-]{36})\)/g)].map((match) => match[1]);
  expect(named).toHaveLength(PICTURES);
  expect(new Set(named).size).toBe(PICTURES);
  expect(keys.map(({ key }) => key)).toEqual(expect.arrayContaining(named));

  // The same file in another test: the next part is offered.
  network.rule = () => 'deliver';
  const next = await school.test(teacher, { students: [], questions: [], lifecycle: 'draft' });
  await page.goto(`${network.url}/tests/manage/${next}/edit/custom`);
  await page.getByRole('button', { name: 'Импорт из файла' }).click();
  await pick(page, 'банк.xml', file);
  await expect(dialog.getByText('Уже есть в вашем банке вопросов: 300.')).toBeVisible();
  await expect(dialog.getByLabel('выберите часть файла')).toHaveValue('300');
  await dialog.getByRole('button', { name: 'Добавить 300 вопросов' }).click();
  await dialog.getByRole('button', { name: 'К вопросам' }).click();
  await expect.poll(() => numbersIn(school, next)).toEqual(range(301, 600));
  const entries = await one<{ count: number }>(
    school.pool,
    'select count(*)::int as count from bank_entries where owner_id = $1',
    [teacher.userId],
  );
  expect(entries?.count).toBe(600);
});
