import { ROLE } from '#contract/auth.ts';
import { smallTest } from '#tests/school.ts';
import { oneInTurn } from '#tests/whole.ts';
import { openChromium } from './engines/chromium.ts';
import type { EngineBrowser, EnginePage } from './engines/engine.ts';
import { openFirefox } from './engines/firefox.ts';
import { EnginePerson } from './engines/person.ts';
import { openWebKit } from './engines/webkit.ts';
import { expect, test } from './test-school.ts';

/** What Enter does at the last question (row 44), and files that are still being read (row 38), by engine. */

/** WebDriver has a sign of its own for the key. */
const ENGINES: readonly [string, () => Promise<EngineBrowser>, string][] = [
  ['Chromium', openChromium, '\n'],
  ['Firefox', openFirefox, '\n'],
  ['WebKit', openWebKit, '\uE007'],
];

/** A file question, and a line of text as the last one. */
const QUESTIONS = ['file', 'open'].flatMap((kind) =>
  smallTest.filter((question) => question.kind === kind).slice(0, 1),
);

/** From here on the test decides when a file is read, as for files in a cloud. */
const holdReads = (page: EnginePage) =>
  page.run(`
    const read = Blob.prototype.arrayBuffer;
    window.reads = [];
    Blob.prototype.arrayBuffer = function () {
      return new Promise((resolve) => window.reads.push(resolve)).then(() => read.call(this));
    };`);

const pick = (page: EnginePage, name: string) =>
  page.run(
    `const input = [...document.querySelectorAll('input[type=file]')].at(-1);
    const picked = new DataTransfer();
    picked.items.add(new File(['%PDF-1.4 ' + arguments[0]], arguments[0], { type: 'application/pdf' }));
    input.files = picked.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));`,
    name,
  );

for (const [engine, open, enter] of oneInTurn(ENGINES, 2)) {
  test(`${engine}: Enter at the last question ends nothing, and the finish waits for the newest picked file (rows 38 and 44)`, async ({
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    await school.test(teacher, { students: [anna], name: 'Законы Ньютона', questions: QUESTIONS });
    const browser = await open();
    const { page } = browser;
    const person = new EnginePerson(page);
    try {
      await person.signInAndStart(`${school.network.url}/tests/my`, anna.email, /^Законы Ньютона/);
      await person.find('file', /.*/);
      await holdReads(page);
      await pick(page, 'old.pdf');
      await person.sees(/old\.pdf/);
      await pick(page, 'new.pdf');
      await person.sees(/new\.pdf\s+Читаем файл…/);

      await person.click('button', /^Далее$/);
      await person.type(/^Ваш ответ/, `4,9${enter}${enter}${enter}`);
      await person.sees(/Это последний вопрос/);
      await person.sees(/Сохранено на сервере/);
      expect(await person.text()).not.toContain('Завершить тест?');

      await person.click('button', /^Завершить$/);
      await person.sees(/Ещё читается файл «new\.pdf»/);
      await person.click('button', /^Вернуться/);
      await expect.poll(() => person.text()).not.toContain('Завершить тест?');
      await page.run(
        'window.reads.forEach((read) => read()); window.reads = { push: (read) => read() };',
      );
      await person.click('button', /^Назад$/);
      await person.sees(/new\.pdf/);
      await person.sees(/Сохранено на сервере/);
      expect(await person.text()).not.toContain('old.pdf');
      expect((await school.attempt(anna))?.ended).toBeNull();
    } finally {
      await browser.close();
    }
  });
}
