import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { execute } from '#server/db/query.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { audit } from './audit.ts';
import { tabTo } from './keys.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { pathOf, signIn } from './visitor.ts';

// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });
test.describe.configure({ mode: 'parallel' });

const DOCUMENT = fileURLToPath(
  new URL('../server/demo/pictures/project-orbit.pdf', import.meta.url),
);
const LOGO = { name: 'логотип.png', mimeType: 'image/png', buffer: SAMPLES['image/png'] };

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).filter({ visible: true });
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).filter({ visible: true }).first();
const cards = (page: Page) => page.getByRole('main').getByRole('listitem');
const note = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words });

/** A project by SQL, without files: its letter replaces the logo. */
async function plant(
  school: TestSchool,
  owner: Person,
  { name, views = 0 }: { name: string; views?: number },
): Promise<string> {
  const id = v7();
  await execute(
    school.pool,
    `insert into projects (id, owner_id, name, short_description, description, landing_url, views,
       created_at, updated_at)
     values ($1, $2, $3, 'Краткое описание', E'Первый абзац.\n\n<b>Второй</b> абзац.',
       'https://school.test/', $4, now(), now())`,
    [id, owner.userId, name, views],
  );
  return id;
}

/** Fields of the multipart form that «Сохранить» sends. */
async function sentFields(page: Page, method: 'POST' | 'PUT'): Promise<string[]> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === method && one.url().endsWith('/api/ProjectCard')),
    button(dialog(page), 'Сохранить').click(),
  ]);
  const body = request.postDataBuffer()?.toString('latin1') ?? '';
  return [...body.matchAll(/name="(\w+)"/g)].map(([, name = '']) => name);
}

async function addProject(page: Page, name: string): Promise<void> {
  const form = dialog(page);
  await form.getByLabel('Название').fill(name);
  await form.getByLabel('Краткое описание').fill('Симулятор движения спутников');
  await form.getByLabel('Подробное описание').fill('Первый абзац.\n\n<b>Второй</b> абзац.');
  await form.getByLabel('Сайт проекта').fill('https://orbita.school.test/');
  await form.getByLabel('Логотип').setInputFiles(LOGO);
  await form.getByLabel('Документация').setInputFiles(DOCUMENT);
}

/** 2 × 2 points. */
const AVIF = Buffer.from(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=',
  'base64',
);
/** One red point. */
const BMP = Buffer.from(
  '424d3a0000000000000036000000280000000100000001000000010018000000000004000000000000000000000000000000000000000000ff00',
  'hex',
);

test('a logo in AVIF or BMP becomes a WebP, HEIC and an empty address are refused', async ({
  page,
  school,
}) => {
  const ilya = await school.person({ userName: 'Комаров Илья' });
  await signIn(page, school, ilya);
  await page.goto(`${school.network.url}/projects/my`);
  for (const [name, mimeType, buffer] of [
    ['знак.avif', 'image/avif', AVIF],
    ['знак.bmp', 'image/bmp', BMP],
  ] as const) {
    await button(page, 'Добавить проект').first().click();
    await addProject(page, name);
    const form = dialog(page);
    await form.getByLabel('Сайт проекта').fill('');
    await button(form, 'Сохранить').click();
    await expect(form.getByText('Пожалуйста, введите корректный URL')).toBeVisible();
    await form.getByLabel('Сайт проекта').fill('https://orbita.school.test/');
    await form.getByLabel('Логотип').setInputFiles({
      name: 'IMG_1.HEIC',
      mimeType: 'image/heic',
      buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    });
    await expect(
      form.getByText('HEIC этот браузер не открывает. Сохраните картинку как JPEG или PNG'),
    ).toBeVisible();
    await form.getByLabel('Логотип').setInputFiles({ name, mimeType, buffer });
    await expect(form.getByText('знак.webp', { exact: true })).toBeVisible();
    await sentFields(page, 'POST');
    await note(page, `Проект «${name}» добавлен`).waitFor();
  }
  await expect(cards(page)).toHaveCount(2);
  await expect(cards(page).locator('img')).toHaveCount(2);
});

test.describe('at 1280 px', () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test('a project is added, seen on the showcase, rated, changed by its fields alone, and hidden by an administrator', async ({
    page,
    school,
  }, info) => {
    const ilya = await school.person({ userName: 'Комаров Илья' });
    const anna = await school.person();
    const admin = await school.person({ role: ROLE.admin, userName: 'Администратор' });
    await plant(school, anna, { name: 'Узор', views: 7 });

    await signIn(page, school, ilya);
    await page.goto(`${school.network.url}/projects/my`);
    await heading(page, 'Пока нет проектов').waitFor();
    await button(page, 'Добавить проект').click();
    const form = dialog(page);
    await expect(form.getByLabel('Владелец')).toHaveValue('Комаров Илья');
    await expect(button(form, 'Сохранить')).toBeDisabled();
    expect((await form.boundingBox())?.width).toBe(685);
    await audit(page, info, 'project-dialog');
    await addProject(page, 'Орбита');
    await form.getByLabel('Дополнительные фотографии').setInputFiles(LOGO);
    await form.getByRole('list', { name: 'Выбранные фотографии' }).getByRole('img').waitFor();
    expect(await sentFields(page, 'POST')).not.toContain('ProjectPhoto');
    await note(page, 'Проект «Орбита» добавлен').waitFor();
    await expect(form).toBeHidden();
    await expect(cards(page)).toHaveCount(1);
    await page.setViewportSize({ width: 1024, height: 800 });
    const searched = page.getByLabel('Поиск по названию, описанию или автору');
    expect((await searched.boundingBox())?.width).toBeGreaterThanOrEqual(200);
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.goto(`${school.network.url}/projects`);
    await expect(cards(page)).toHaveText([/^Орбита/, /^УУзор/]);
    await expect(button(page, 'Добавить проект')).toBeHidden();
    await expect(cards(page).first().locator('img')).toHaveAttribute('src', /^blob:/);
    await page.getByLabel('Порядок').first().click();
    await page.getByRole('option', { name: 'Популярные' }).click();
    await expect.poll(() => pathOf(page)).toBe('/projects?sort=high_views');
    await expect(cards(page).first()).toContainText('Узор');
    await button(page, 'Строками').click();
    await audit(page, info, 'projects-rows');
    await page.reload();
    await expect(button(page, 'Строками')).toHaveAttribute('aria-pressed', 'true');
    await expect(cards(page).first()).toContainText('Узор');
    // The sort bar changes at 1024 px, the toggle disappears below 640 px.
    await expect(page.getByRole('main').locator('[data-place=title]')).toBeVisible();
    await page.setViewportSize({ width: 1023, height: 800 });
    await expect(page.getByRole('main').locator('[data-place=bar]')).toBeVisible();
    await expect(button(page, 'Сеткой')).toBeVisible();
    await page.setViewportSize({ width: 639, height: 800 });
    await expect(button(page, 'Сеткой')).toBeHidden();
    await page.setViewportSize({ width: 1280, height: 800 });
    await button(page, 'Сеткой').click();
    await page.getByLabel('Поиск по названию, описанию или автору').fill('нет такого');
    await heading(page, 'Ничего не найдено').waitFor();
    await button(page, 'Сбросить поиск').click();
    await expect(cards(page)).toHaveCount(2);
    await audit(page, info, 'projects-grid');

    await signIn(page, school, anna);
    await page.goto(`${school.network.url}/projects`);
    await cards(page).filter({ hasText: 'Орбита' }).click();
    await heading(page, 'Орбита').waitFor();
    await expect(page).toHaveTitle(/^Орбита · /);
    await expect(page.getByText('<b>Второй</b> абзац.')).toBeVisible();
    const site = page.getByRole('link', { name: 'Открыть сайт проекта' });
    await expect(site).toHaveAttribute('href', 'https://orbita.school.test/');
    await expect(site).toHaveAttribute('rel', 'noopener noreferrer');
    await tabTo(page, page.getByRole('radio', { name: '1 звезда' }), 40);
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText('2 из 5, 1 оценка')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText('3 из 5, 1 оценка')).toBeVisible();
    await expect(page.getByText('3 звезды')).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Скачать project-orbit.pdf').click(),
    ]);
    expect(download.suggestedFilename()).toBe('project-orbit.pdf');
    await expect(button(page, 'Изменить')).toBeHidden();
    await audit(page, info, 'project');
    const path = pathOf(page);

    await signIn(page, school, ilya);
    await page.goto(`${school.network.url}${path}`);
    await expect(page.getByText('3 из 5, 1 оценка')).toBeVisible();
    await button(page, 'Изменить').click();
    await expect(dialog(page).getByLabel('Название')).toHaveValue('Орбита');
    await expect(dialog(page).getByText('project-orbit.pdf', { exact: true })).toBeVisible();
    await expect(dialog(page).locator('img').first()).toHaveAttribute('src', /^data:image\/png/);
    await dialog(page).getByLabel('Название').fill('Орбита 2');
    await button(dialog(page), 'Закрыть').click();
    await heading(page, 'Закрыть без сохранения?').waitFor();
    await button(page, 'Вернуться к форме').click();
    expect(await sentFields(page, 'PUT')).toEqual(['Id', 'Name', 'OwnerName']);
    await heading(page, 'Орбита 2').waitFor();

    await signIn(page, school, admin);
    await page.goto(`${school.network.url}/admin/projects?sort=name`);
    await heading(page, 'Витрина проектов').waitFor();
    await button(page, 'Скрыть «Орбита 2»').click();
    await note(page, 'Проект «Орбита 2» скрыт с витрины').waitFor();
    await expect(button(page, 'Показать «Орбита 2»')).toBeVisible();
    await audit(page, info, 'admin-projects');
    await button(page, 'Действия с проектом «Узор»').click();
    await page.getByRole('menuitem', { name: 'Удалить…' }).click();
    await button(dialog(page), 'Удалить').click();
    await note(page, 'Проект «Узор» удалён').waitFor();
    await page.getByLabel('Состояние').first().click();
    await page.getByRole('option', { name: 'На витрине' }).click();
    await heading(page, 'Ничего не найдено').waitFor();

    await signIn(page, school, anna);
    await page.goto(`${school.network.url}${path}`);
    await heading(page, 'Такого проекта нет').waitFor();
    await page.getByRole('link', { name: 'Ко всем проектам' }).click();
    await heading(page, 'Пока нет проектов').waitFor();
    await signIn(page, school, ilya);
    await page.goto(`${school.network.url}/projects/my`);
    await expect(cards(page).getByText('Скрыт администратором')).toBeVisible();
  });
});

test.describe('at 360 px', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test("showcase, project, form and the administrators' list have large tap targets; a project is deleted after a confirmation", async ({
    page,
    school,
  }, info) => {
    const ilya = await school.person({ userName: 'Комаров Илья' });
    const admin = await school.person({ role: ROLE.admin, userName: 'Администратор' });
    const id = await plant(school, ilya, { name: 'Орбита' });
    await plant(school, ilya, { name: 'Узор' });
    await signIn(page, school, ilya);
    await page.goto(`${school.network.url}/projects?sort=name`);
    await expect(cards(page)).toHaveCount(2);
    await expect(page.getByRole('group', { name: 'Вид списка' })).toBeHidden();
    await audit(page, info, 'projects');
    await page.getByLabel('Порядок').selectOption('По оценке');
    await expect.poll(() => pathOf(page)).toBe('/projects?sort=high_rating');

    await page.goto(`${school.network.url}/projects/my`);
    await button(page, 'Добавить проект').click();
    await dialog(page).getByLabel('Название').fill('я'.repeat(51));
    await expect(dialog(page).getByLabel('Дополнительные фотографии')).toBeHidden();
    await dialog(page)
      .getByLabel('Логотип')
      .setInputFiles({
        name: 'логотип.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      });
    await expect(dialog(page).getByText('SVG не подойдёт')).toBeVisible();
    await button(dialog(page), 'Сохранить').click();
    await expect(
      dialog(page).getByText('Название проекта не должно превышать 50 символов'),
    ).toBeVisible();
    await expect(dialog(page).getByLabel('Название')).toBeFocused();
    await audit(page, info, 'project-dialog-errors');
    await page.keyboard.press('Escape');
    await heading(page, 'Закрыть без сохранения?').waitFor();
    await button(page, 'Закрыть без сохранения').click();
    await expect(dialog(page)).toHaveCount(0);

    await page.goto(`${school.network.url}/projects/${id}`);
    await page.getByText('Просмотры').waitFor();
    await expect(page.getByText('Ваша оценка')).toBeHidden();
    await audit(page, info, 'project');
    await button(page, 'Удалить').click();
    await expect(button(dialog(page), 'Оставить')).toBeFocused();
    await button(dialog(page), 'Удалить').click();
    await expect.poll(() => pathOf(page)).toBe('/projects/my');
    await expect(cards(page)).toHaveText([/Узор/]);

    await signIn(page, school, admin);
    await page.goto(`${school.network.url}/admin/projects`);
    await button(page, 'Скрыть «Узор»').click();
    await button(page, 'Показать «Узор»').click();
    await note(page, 'Проект «Узор» снова на витрине').waitFor();
    await audit(page, info, 'admin-projects');
  });
});
