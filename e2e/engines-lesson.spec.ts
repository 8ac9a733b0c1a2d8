import { ROLE } from '#contract/auth.ts';
import { bringHandover, type HandoverFile } from '#contract/handover.ts';
import { one } from '#server/db/query.ts';
import { Q, RIGHT, smallTest } from '#tests/school.ts';
import { oneInTurn } from '#tests/whole.ts';
import type { EngineBrowser } from './engines/engine.ts';
import { openFirefox } from './engines/firefox.ts';
import { EnginePerson } from './engines/person.ts';
import { openWebKit } from './engines/webkit.ts';
import { attemptOf, countingAnswers, journal } from './journal.ts';
import { showCode } from './start.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { openSignIn } from './visitor.ts';

/** What Chromium does in `offline-start.spec.ts`: Argon2, the ciphers and the storage are each engine's own. */
const ENGINES: Readonly<Record<string, () => Promise<EngineBrowser>>> = {
  Firefox: openFirefox,
  WebKit: openWebKit,
};

/**
 * The file that the app saves. WebDriver does not tell where downloads go, so the page keeps what the app gives to the
 * engine, and nothing is downloaded.
 */
async function saveAnswers(person: EnginePerson): Promise<HandoverFile> {
  const { page } = person;
  await page.run(`
    window.saved = null;
    URL.createObjectURL = (blob) => {
      blob.text().then((text) => { window.saved = text; });
      return 'data:,';
    };
    HTMLAnchorElement.prototype.click = () => undefined;`);
  await person.click('button', /^Сохранить ответы в файл$/);
  const saved = () => page.run<string | null>('return window.saved');
  await expect.poll(saved, { message: 'the saved file' }).not.toBeNull();
  return JSON.parse((await saved()) ?? '') as HandoverFile;
}

/** Brings the parts of a file in for the teacher, who has got it from the student. */
async function bringIn(school: TestSchool, teacher: Person, { owner, parts }: HandoverFile) {
  const { token } = await openSignIn(school, teacher);
  const line = await school.line();
  const replies = [];
  for (const part of parts) {
    const reply = await fetch(`${line.url}${bringHandover.path.replace('{owner}', owner)}`, {
      method: bringHandover.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: Buffer.from(part, 'base64'),
    });
    replies.push(await reply.json());
  }
  return replies;
}

for (const [engine, open] of oneInTurn(Object.entries(ENGINES), 1)) {
  test(`${engine}: a test begins by its code without a network, survives a sudden end, is finished, and counts once, by the file and by the network`, async ({
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    const testId = await school.test(teacher, {
      students: [anna],
      name: 'Законы Ньютона',
      questions: smallTest.slice(0, 2),
      offlineStart: true,
    });
    const browser = await open();
    const { url } = school.network;
    const { page } = browser;
    const person = new EnginePerson(page);
    try {
      await page.goto(`${url}/tests/my`);
      await person.signIn(anna.email);
      await person.click('link', /^Законы Ньютона/);
      await person.sees(/Устройство готово/);
      await person.sees(/Тест загружен, его можно начать и без сети/);

      school.network.rule = () => 'loseRequest';
      await page.goto(`${url}/tests/my`);
      await person.click('link', /^Законы Ньютона/);
      await person.click('button', /^Начать без сети$/);
      await person.type(/^Код начала/, await showCode(school, testId));
      await person.click('button', /^Начать$/);
      await person.sees(/Ускорение тела/);
      await person.type(/^Ваш ответ/, '4,9');
      await person.sees(/Сохранено на устройстве/);

      await browser.end();
      await page.goto(`${url}/tests/my`);
      await person.click('link', /^Продолжить/);
      await person.sees(/Ускорение тела/);
      await person.click('button', /^Далее$/);
      await person.choose('radio', /Ньютон/);
      await person.sees(/Сохранено на устройстве/);
      await person.click('button', /^Завершить/);
      await person.click('button', /^Завершить тест$/);
      await person.sees(/Не закрывайте/);
      expect(await school.attempt(anna)).toBeNull();

      const file = await saveAnswers(person);
      expect(await bringIn(school, teacher, file)).toEqual([
        expect.objectContaining({ begins: 1, answers: 2, held: 0, finishes: 1, problems: [] }),
      ]);
      const attempt = await attemptOf(school.pool, anna);
      expect(attempt).toMatchObject({ ended: 'finished', points: 3 });
      const rowsFromFile = await journal(school.pool, attempt.id);
      expect(rowsFromFile.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'finish']);

      // The device does not know of the file, and sends everything once more.
      school.network.rule = () => 'deliver';
      await person.sees(/Можно закрывать/);
      expect(await journal(school.pool, attempt.id)).toEqual(rowsFromFile);
      expect(await countingAnswers(school.pool, attempt.id)).toMatchObject({
        [Q.open]: { text: '4,9' },
        [Q.single]: RIGHT.single,
      });
      expect(await attemptOf(school.pool, anna)).toEqual(attempt);
      expect(
        await one(school.pool, 'select hold from begins where attempt_id = $1', [attempt.id]),
      ).toEqual({ hold: null });
    } finally {
      await browser.close();
    }
  });
}
