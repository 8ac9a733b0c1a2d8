import { readFile } from 'node:fs/promises';
import { unzipSync, zipSync } from 'fflate';
import { extractRawText } from 'mammoth';
import {
  choices,
  equal,
  html,
  item,
  processing,
  quiz,
  rule,
} from '#interchange/testing/qti1-xml.ts';
import { audit } from './audit.ts';
import { openEditor, openMenu, pick, sheet, stored } from './import-dialog.ts';
import { expect, test } from './test-school.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.use({ viewport: { width: 1280, height: 800 } });

const PICTURE = new URL('../server/demo/pictures/physics-incline.png', import.meta.url);

/** Russian text in the encoding of old files. */
function inWindows1251(text: string): Buffer {
  const bytes = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return code;
    if (code >= 0x410 && code <= 0x44f) return code - 0x350;
    if (character === 'ё') return 0xb8;
    throw new Error(`no ${character} in this table`);
  });
  return Buffer.from(bytes);
}

/** An export of Moodle: a choice with a formula and a picture, a number, a text, and two unsupported ones. */
async function moodleFile(): Promise<Buffer> {
  const picture = (await readFile(PICTURE)).toString('base64');
  const questionText = (text: string, more = '') =>
    `<questiontext format="html"><text><![CDATA[${text}]]></text>${more}</questiontext>`;
  return inWindows1251(`<?xml version="1.0" encoding="windows-1251"?>
<quiz>
<question type="category"><category><text>$course$/Динамика</text></category></question>
<question type="multichoice"><name><text>Наклонная</text></name>
${questionText(
  '<p>Ускорение на плоскости \\(a = g\\sin\\alpha\\): <img src="@@PLUGINFILE@@/plane.png" alt="плоскость"></p><script>document.title = "взлом"</script>',
  `<file name="plane.png" path="/" encoding="base64">${picture}</file>`,
)}
<defaultgrade>2</defaultgrade><single>true</single><shuffleanswers>true</shuffleanswers>
<answer fraction="100" format="html"><text>Да</text><feedback format="html"><text>Верно</text></feedback></answer>
<answer fraction="0" format="html"><text>Нет</text></answer></question>
<question type="numerical"><name><text>Сила</text></name>${questionText('Чему равна сила?')}
<answer fraction="100"><text>12.5</text><tolerance>0.1</tolerance></answer></question>
<question type="shortanswer"><name><text>Учёный</text></name>${questionText('Кто открыл закон?')}
<answer fraction="100"><text>Ньютон</text></answer></question>
<question type="description"><name><text>Введение</text></name>${questionText('Прочитайте параграф')}</question>
<question type="cloze"><name><text>Пропуски</text></name>${questionText('Сила {1:SHORTANSWER:=тяги}')}</question>
<question type="ddmarker"><name><text>Карта</text></name>${questionText('Отметьте центр масс')}</question>
</quiz>`);
}

test('an editor dialog about the whole test is open after a reload, and «back» closes it', async ({
  page,
  school,
}) => {
  const { testId } = await openEditor(page, school);
  await page.getByRole('button', { name: 'Импорт из файла' }).click();
  await sheet(page).waitFor();
  await page.reload();
  await expect(sheet(page).getByLabel('Файл с вопросами')).toBeAttached();
  await page.goBack();
  await expect(sheet(page)).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/tests/manage/${testId}/edit/custom$`));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'В тесте пока нет вопросов' })).toBeVisible();
  await expect(sheet(page)).toBeHidden();
});

test('a Moodle file in windows-1251 is previewed, imported with formula and picture, and exported the same', async ({
  page,
  school,
}, info) => {
  const { testId } = await openEditor(page, school);
  await page.getByRole('button', { name: 'Импорт из файла' }).click();
  await pick(page, 'вопросы.xml', await moodleFile());
  await expect(sheet(page).getByText('Прочитано 4 вопроса из 5')).toBeVisible();
  const refused = sheet(page).getByRole('region', { name: 'Не войдут' });
  await expect(refused.getByRole('listitem')).toHaveCount(1);
  await audit(page, info, 'import-preview');
  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'import-preview-phone');
  await page.setViewportSize({ width: 1280, height: 800 });

  await sheet(page).getByRole('button', { name: 'Добавить 4 вопроса' }).click();
  await expect(sheet(page).getByText('Добавлено: 4 вопроса')).toBeVisible();
  await sheet(page).getByRole('button', { name: 'К вопросам' }).click();
  await expect(page.getByRole('img', { name: 'плоскость' }).first()).toBeVisible();
  await expect.poll(async () => (await stored(school, testId))?.questions.length).toBe(4);
  const [first, second, , fourth] = (await stored(school, testId))?.questions ?? [];
  expect(first).toMatchObject({
    kind: 'variant',
    points: 2,
    title: 'Наклонная',
    topic: 'Динамика',
  });
  expect(first?.text).toContain('$a = g\\sin\\alpha$');
  expect(first?.text).toMatch(/!\[плоскость\]\(file:[0-9a-f-]{36}\)/);
  expect(second).toMatchObject({ kind: 'open', tolerance: 0.1 });
  expect(fourth).toMatchObject({ kind: 'gaps', title: 'Пропуски' });
  await expect(page).not.toHaveTitle('взлом');

  await openMenu(page, 'Экспорт');
  await sheet(page)
    .getByRole('radio', { name: /Moodle XML/ })
    .check();
  const saving = page.waitForEvent('download');
  await sheet(page).getByRole('button', { name: 'Подготовить файл' }).click();
  const saved = await readFile(await (await saving).path());
  await sheet(page).getByRole('button', { name: 'Готово' }).click();

  await openMenu(page, 'Импорт из файла');
  await pick(page, 'вопросы.xml', await moodleFile());
  await expect(sheet(page).getByText('Уже есть в этом тесте: 4. Они не отмечены.')).toBeVisible();
  await expect(sheet(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
  await sheet(page).getByRole('button', { name: 'Другой файл' }).click();
  await pick(page, 'снова.xml', saved);
  await expect(sheet(page).getByRole('checkbox')).toHaveCount(4);
  for (const box of await sheet(page).getByRole('checkbox').all()) await box.check();
  await sheet(page).getByRole('button', { name: 'Добавить 4 вопроса' }).click();
  await sheet(page).getByRole('button', { name: 'К вопросам' }).click();
  await expect.poll(async () => (await stored(school, testId))?.questions.length).toBe(8);
  const all = (await stored(school, testId))?.questions ?? [];
  const texts = all.map(({ text, title, points, ...question }) => [
    text.replaceAll(/file:[0-9a-f-]{36}/g, 'file:KEY'),
    title,
    points,
    question.kind === 'gaps' ? question.gaps : null,
  ]);
  expect(texts.slice(4)).toEqual(texts.slice(0, 4));

  await openMenu(page, 'Экспорт');
  await sheet(page).getByRole('radio', { name: /Aiken/ }).check();
  await sheet(page).getByRole('button', { name: 'Подготовить файл' }).click();
  await expect(sheet(page).getByText('Aiken перенесёт не всё')).toBeVisible();
  await audit(page, info, 'export-losses');
});

/** A quiz of Canvas: an order, lists in a text, and a place on a picture, which no question here can be. */
const canvasFile = () => {
  const items = [
    item(
      html('Расставьте по порядку') +
        choices({ a: 'Март', b: 'Январь' }, { cardinality: 'Ordered' }),
      processing([rule(equal('b') + equal('a'), ['Set', 100])]),
      { kind: 'ordering_question', points: '2' },
    ),
    item(
      html('Лёд [what] воды') +
        choices({ c: 'легче', d: 'тяжелее' }, { ident: 'response_what', own: html('what') }),
      processing([rule(equal('c', 'response_what'), ['Add', 100])]),
      { kind: 'multiple_dropdowns_question' },
    ),
    item(
      html('Покажите центр масс') + '<response_xy ident="r"><render_hotspot/></response_xy>',
      '',
    ),
  ];
  return Buffer.from(quiz(items.join(''), 'Физика'));
};

test('a quiz of Canvas (QTI 1.2) comes in with an order and a list in a text; the rest is named', async ({
  page,
  school,
}, info) => {
  const { testId } = await openEditor(page, school);
  await page.getByRole('button', { name: 'Импорт из файла' }).click();
  await pick(page, 'quiz.xml', canvasFile());
  await expect(sheet(page).getByText('Прочитано 2 вопроса из 3')).toBeVisible();
  const refused = sheet(page).getByRole('region', { name: 'Не войдут' });
  await expect(refused.getByRole('listitem')).toContainText(['Покажите центр масс']);
  await audit(page, info, 'import-qti1');
  await sheet(page).getByRole('button', { name: 'Добавить 2 вопроса' }).click();
  await sheet(page).getByRole('button', { name: 'К вопросам' }).click();
  await expect.poll(async () => (await stored(school, testId))?.questions.length).toBe(2);
  expect((await stored(school, testId))?.questions).toMatchObject([
    { kind: 'ordering', points: 2, items: [{ text: 'Январь' }, { text: 'Март' }] },
    {
      kind: 'gaps',
      text: 'Лёд [[1]] воды',
      gaps: [{ input: 'choice', options: [{ text: 'легче', isRight: true }, { isRight: false }] }],
    },
  ]);
});

test('a test is printed as Word documents: sheets of several variants and the key to them', async ({
  page,
  school,
}, info) => {
  await openEditor(page, school);
  await page.getByRole('button', { name: 'Импорт из файла' }).click();
  await pick(page, 'вопросы.xml', await moodleFile());
  await sheet(page).getByRole('button', { name: 'Добавить 4 вопроса' }).click();
  await sheet(page).getByRole('button', { name: 'К вопросам' }).click();

  await openMenu(page, 'Для печати');
  await sheet(page).getByLabel('Сколько вариантов').selectOption('2 варианта');
  await sheet(page).getByLabel('Перемешать вопросы').check();
  await audit(page, info, 'paper');
  const download = async (button: string) => {
    const saving = page.waitForEvent('download');
    await sheet(page).getByRole('button', { name: button }).click();
    const saved = await saving;
    await expect(
      sheet(page).getByText(`Файл «${saved.suggestedFilename()}» сохранён.`),
    ).toBeVisible();
    const bytes = await readFile(await saved.path());
    return { name: saved.suggestedFilename(), bytes, files: unzipSync(bytes) };
  };
  const sheets = await download('Скачать задания');
  expect(sheets.name).toMatch(/ — задания\.docx$/);
  // The stored picture is WebP, which Word may not show.
  expect(Object.keys(sheets.files)).toContainEqual(
    expect.stringMatching(/media\/picture1\.(png|jpeg)$/),
  );
  const { value } = await extractRawText({ buffer: sheets.bytes });
  expect(value).toContain('Вариант 2');
  expect(value.match(/Кто открыл закон\?/g)).toHaveLength(2);
  expect(value).not.toMatch(/^Ньютон$/m);
  const key = await download('Скачать ключи');
  expect(key.name).toMatch(/ — ключи\.docx$/);
  expect((await extractRawText({ buffer: key.bytes })).value).toMatch(/^Ньютон$/m);

  await page.setViewportSize({ width: 360, height: 740 });
  await audit(page, info, 'paper-phone');
});

test('files that are malicious, of the wrong kind or far too long are refused with a message; the page and the server continue', async ({
  page,
  school,
}, info) => {
  test.slow();
  await openEditor(page, school);
  await page.getByRole('button', { name: 'Импорт из файла' }).click();
  const zeros = new Uint8Array(60 * 1024 * 1024);
  const laughs = `<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY a "ха"><!ENTITY b "&a;&a;&a;">]><quiz>&b;</quiz>`;
  const outside = `<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY x SYSTEM "file:///etc/passwd">]><quiz>&x;</quiz>`;
  for (const [name, bytes] of [
    ['бомба.zip', Buffer.from(zipSync({ 'imsmanifest.xml': zeros }))],
    ['смех.xml', Buffer.from(laughs)],
    ['чужое.xml', Buffer.from(outside)],
    ['старый.doc', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
    ['пустой.txt', Buffer.alloc(0)],
    ['снимок.png', await readFile(PICTURE)],
  ] as const) {
    await pick(page, name, bytes);
    const problem = sheet(page)
      .getByRole('status')
      .filter({ hasText: /[а-яё]{4}/ });
    await expect(problem, name).not.toContainText('Читаем файл');
    await expect(sheet(page).getByRole('button', { name: 'Выбрать файл' }), name).toBeVisible();
    await expect(problem, name).not.toContainText('undefined');
  }

  // With a wrong extension: the same file can be read in its real format.
  await pick(page, 'банк.gift', Buffer.from('Единица силы?\nA. Ньютон\nB. Паскаль\nANSWER: A\n'));
  await expect(sheet(page).getByText('нет вопросов GIFT')).toBeVisible();
  await audit(page, info, 'import-other-format');
  await sheet(page).getByLabel('Прочитать этот файл как').selectOption('aiken');
  await expect(sheet(page).getByRole('button', { name: 'Добавить 1 вопрос' })).toBeVisible();
  await sheet(page).getByRole('button', { name: 'Другой файл' }).click();

  const many = Array.from({ length: 10_001 }, (_, i) => `Вопрос ${i}? {=${i} ~нет}`).join('\n\n');
  await pick(page, 'много.gift', Buffer.from(many));
  await expect(sheet(page).getByRole('button', { name: 'Добавить 300 вопросов' })).toBeVisible();
  await expect(sheet(page).getByText('Прочитаны первые 10000 вопросов')).toBeVisible();
});
