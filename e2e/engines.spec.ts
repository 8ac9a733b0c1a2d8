import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLE } from '#contract/auth.ts';
import { Q, RIGHT } from '#tests/school.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { oneInTurn } from '#tests/whole.ts';
import type { EngineBrowser } from './engines/engine.ts';
import { openFirefox } from './engines/firefox.ts';
import { EnginePerson } from './engines/person.ts';
import { openWebKit } from './engines/webkit.ts';
import { attemptOf, countingAnswers, journal } from './journal.ts';
import { expect, test } from './test-school.ts';

/** Chromium runs all other journeys; these are the engines of Firefox and of Safari. */
const ENGINES: Readonly<Record<string, () => Promise<EngineBrowser>>> = {
  Firefox: openFirefox,
  WebKit: openWebKit,
};

const ADDRESSES = [
  '/tests',
  '/tests/my',
  '/tests/my/passed',
  '/projects',
  '/projects/my',
  '/profile',
  '/help',
  '/help/student',
  '/events',
  '/',
];

const headingOf = (person: EnginePerson) =>
  person.page.run<string>('return document.querySelector("h1")?.textContent ?? ""').catch(() => '');

/** No page is ever blank: its heading is visible. If not, the failure quotes the page. */
async function seesHeading(person: EnginePerson, step: string): Promise<void> {
  await expect
    .poll(() => headingOf(person), { message: step })
    .not.toBe('')
    .catch(async (cause: unknown) => {
      const found = await person.page
        .run<string>(
          'return [location.href, document.readyState, performance.now(), document.body.innerText].join("\\n")',
        )
        .catch(String);
      throw new Error(`${step}: no heading at\n${found}`, { cause });
    });
}

for (const [engine, open] of oneInTurn(Object.entries(ENGINES))) {
  test(`${engine}: sign-in, ten addresses, back and forward, four kinds of answers without a network, reload, sudden end, finish, the next student`, async ({
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    const boris = await school.person({ userName: 'Борис Орлов' });
    await school.test(teacher, { students: [anna], name: 'Законы Ньютона' });
    const folder = await mkdtemp(join(tmpdir(), 'exam-room-engine-'));
    const photo = join(folder, 'решение.jpg');
    await writeFile(photo, SAMPLES['image/jpeg']);
    const browser = await open();
    const { url } = school.network;
    const { page } = browser;
    const person = new EnginePerson(page);
    try {
      await page.goto(`${url}/tests/my`);
      await person.signIn(anna.email);
      await person.sees(/Законы Ньютона/);

      for (const address of ADDRESSES) {
        // Left at once, in the middle of opening its storage.
        await page.goto(`${url}/tests/my`);
        await page.goto(`${url}${address}`);
        await seesHeading(person, address);
      }
      for (const step of ['back', 'back', 'back', 'forward', 'forward'] as const) {
        await page[step]();
        await seesHeading(person, step);
      }

      await page.goto(`${url}/tests/my`);
      await person.click('link', /^Законы Ньютона/);
      // From here on the app opens without a network.
      await person.sees(/Устройство готово/);
      await person.click('button', /^Начать/);
      await person.sees(/Ускорение тела/);
      const axe = await readFile(
        createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
        'utf8',
      );
      await page.run(`${axe}; window.axe.run().then(
        ({ violations }) => { window.found = violations.map(({ id }) => id); },
        (error) => { window.found = [String(error)]; },
      );`);
      await expect.poll(() => page.run('return window.found ?? null')).toEqual([]);

      school.network.rule = () => 'loseRequest';
      await person.type(/^Ваш ответ/, '4,9');
      await person.sees(/Сохранено на устройстве/);
      // The note above the question moves it.
      await person.sees(/Отвечайте дальше/);
      await person.click('button', /^Далее$/);
      await person.choose('radio', /Ньютон/);
      await person.sees(/Сохранено на устройстве/);
      await page.reload();
      await person.sees(/Единица силы/);
      await person.sees(/Отвечайте дальше/);
      expect(await person.isChosen('radio', /Ньютон/)).toBe(true);
      await person.click('button', /^Далее$/);
      await person.choose('checkbox', /Сила/);
      await person.choose('checkbox', /Скорость/);
      expect(await person.isChosen('checkbox', /Сила/)).toBe(true);
      await person.sees(/Сохранено на устройстве/);
      await person.click('button', /^Далее$/);
      for (const [left, right] of [
        [/Сила/, /Н$/],
        [/Мощность/, /Вт/],
        [/Давление/, /Па/],
      ] as const) {
        const item = await person.find('button', left);
        const isOpen = await page.run(
          `return document.querySelector(arguments[0]).getAttribute('aria-expanded') === 'true'`,
          item,
        );
        if (!isOpen) await page.click(item);
        await person.click('option', right);
      }
      await person.sees(/Сохранено на устройстве/);
      await person.click('button', /^Далее$/);
      await page.attach(await person.find('file', /.*/), photo);
      await person.sees(/решение\.jpg/);
      await person.sees(/Сохранено на устройстве/);
      expect(await journal(school.pool, (await attemptOf(school.pool, anna)).id)).toEqual([]);

      await browser.end();
      school.network.rule = () => 'deliver';
      await page.goto(`${url}/tests/my`);
      await person.find('heading', /^(?:Мои тесты|Вход)$/);
      // A killed browser may have lost unflushed localStorage. The sign-in has a link «Продолжить», too.
      if (/Вход/.test(await headingOf(person))) await person.signIn(anna.email);
      await person.find('heading', /^Мои тесты$/);
      await person.click('link', /^Продолжить/);
      await person.sees(/решение\.jpg/);
      await person.click('button', /^Далее$/);
      await person.type(/^Ваш ответ/, 'Тележка и грузы на нити');
      await person.sees(/Сохранено на сервере/);
      await person.click('button', /^Завершить тест/);
      await person.click('button', /^Завершить тест$/);
      await person.sees(/Можно закрывать/);

      const attempt = await attemptOf(school.pool, anna);
      expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
        [Q.open]: { text: '4,9' },
        [Q.single]: RIGHT.single,
        [Q.several]: RIGHT.several,
        [Q.matching]: RIGHT.matching,
        [Q.file]: { name: 'решение.jpg' },
        [Q.essay]: { text: 'Тележка и грузы на нити' },
      });
      expect(attempt).toMatchObject({ ended: 'finished', points: 8 });

      await page.goto(`${url}/tests`);
      await person.click('button', /^Выйти$/);
      await expect.poll(() => headingOf(person)).toMatch(/Вход/);
      await person.signIn(boris.email);
      await expect.poll(() => headingOf(person)).toMatch(/Учебная платформа/);
      await page.goto(`${url}/tests/my`);
      await person.sees(/Пока нет назначенных тестов/);
      expect(await person.text()).not.toMatch(/Анна|Законы Ньютона/);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}
