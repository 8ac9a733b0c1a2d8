import { ROLE } from '#contract/auth.ts';
import { oneInTurn } from '#tests/whole.ts';
import { openChromium } from './engines/chromium.ts';
import type { EngineBrowser, EnginePage } from './engines/engine.ts';
import { openFirefox } from './engines/firefox.ts';
import { EnginePerson } from './engines/person.ts';
import { openWebKit } from './engines/webkit.ts';
import { expect, test } from './test-school.ts';

/** The browser clears the site's data while a test is open (row 41). */

const ENGINES: Readonly<Record<string, () => Promise<EngineBrowser>>> = {
  Chromium: openChromium,
  Firefox: openFirefox,
  WebKit: openWebKit,
};

const CLEARINGS = {
  'the database is deleted': `indexedDB.deleteDatabase('exam-room').onsuccess = () => { window.isCleared = true; };`,
  'every store is cleared': `
    indexedDB.open('exam-room').onsuccess = ({ target: { result } }) => {
      const names = [...result.objectStoreNames];
      const tx = result.transaction(names, 'readwrite');
      for (const name of names) tx.objectStore(name).clear();
      tx.oncomplete = () => { result.close(); window.isCleared = true; };
    };`,
} as const;

async function clear(page: EnginePage, script: string): Promise<void> {
  await page.run(`window.isCleared = false; ${script}`);
  await expect.poll(() => page.run('return window.isCleared')).toBe(true);
}

for (const [engine, open] of oneInTurn(Object.entries(ENGINES))) {
  test(`${engine}: cleared data under an open test is reported, and answering goes on`, async ({
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    const testId = await school.test(teacher, { students: [anna], name: 'Законы Ньютона' });
    const browser = await open();
    const person = new EnginePerson(browser.page);
    try {
      await person.signInAndStart(`${school.network.url}/tests/my`, anna.email, /^Законы Ньютона/);
      await person.type(/^Ваш ответ/, '4,9');
      await person.sees(/Сохранено на сервере/);

      for (const [index, script] of Object.values(CLEARINGS).entries()) {
        await clear(browser.page, script);
        await person.sees(/Браузер очистил память этого сайта/);
        await person.click('button', /^Понятно$/);
        await person.type(/^Ваш ответ/, `4,9${index}`);
        await person.sees(/Сохранено на сервере/);
      }
      await person.click('button', /^Далее$/);
      await person.choose('radio', /Ньютон/);
      await person.sees(/Сохранено на сервере/);
      await browser.page.goto(`${school.network.url}/tests/${testId}`);
      await person.sees(/Единица силы/);
      expect(await person.isChosen('radio', /Ньютон/)).toBe(true);

      // Also without a network.
      school.network.rule = () => 'loseRequest';
      await clear(browser.page, CLEARINGS['every store is cleared']);
      await person.sees(/Браузер очистил память этого сайта/);
      await person.choose('radio', /Паскаль/);
      await person.sees(/Сохранено на устройстве/);
      school.network.rule = () => 'deliver';
      await person.sees(/Сохранено на сервере/);
    } finally {
      await browser.close();
    }
  });
}
