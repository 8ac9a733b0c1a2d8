import type { Page } from '@playwright/test';
import { gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import type { Question } from '#contract/questions.ts';
import { HOSTILE_TEXTS } from '#tests/hostile-texts.ts';
import { liveCall } from '#tests/live-call.ts';
import { CANARY, Q, TEACHER_CANARY } from '#tests/school.ts';
import { attemptOf } from './journal.ts';
import { Overview } from './pages/overview.ts';
import { Shell } from './pages/shell.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { expect, test } from './test-school.ts';
import { everythingStored, placesWith } from './stored.ts';
import { openSignIn, pathOf, signIn } from './visitor.ts';

const HOSTILE_NAME = 'Анна <img src=x onerror=alert(1)>';
const HOSTILE_TITLE = '<svg onload=alert(1)>"><script>alert(1)</script> Законы';

/** Records actions of a page that our own pages never perform. */
async function watch(page: Page, origin: string): Promise<string[]> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !/^(blob|data):$/.test(url.protocol)) seen.push(`asked ${url}`);
  });
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) seen.push(`framed ${frame.url()}`);
  });
  await page.exposeFunction('reportViolation', (words: string) => seen.push(words));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { reportViolation } = window as unknown as { reportViolation: (w: string) => void };
      reportViolation(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  return seen;
}

function hostileQuestions(): Question[] {
  const texts = HOSTILE_TEXTS.map((text) => text.replaceAll('\u0001', ''));
  return texts.map((text, index): Question => {
    const shared = {
      questionId: `00000000-0000-4000-9000-${String(index + 1).padStart(12, '0')}`,
      text: `Вопрос. ${text}\n\n${text}`,
      points: 1,
      explanation: '',
    };
    const other = texts[(index + 1) % texts.length] ?? '';
    if (index % 6 === 5) {
      return {
        ...shared,
        kind: 'compliance',
        shuffle: false,
        left: [{ leftId: '1', text }],
        right: [
          { rightId: 'a', text },
          { rightId: 'b', text: other },
        ],
        pairs: [{ leftId: '1', rightId: 'a' }],
      };
    }
    return {
      ...shared,
      kind: 'variant',
      multiple: index % 2 === 0,
      shuffle: false,
      scoring: 'partial',
      options: [
        { optionId: 'a', text, isRight: true },
        { optionId: 'b', text: other, isRight: false },
      ],
    };
  });
}

test('nothing runs, loads or breaks the policy, whatever stands in questions, options, items, titles and names', async ({
  page,
  school,
}) => {
  const seen = await watch(page, school.network.url);
  const teacher = await school.person({ role: ROLE.teacher, userName: HOSTILE_NAME });
  const anna = await school.person({ userName: HOSTILE_NAME });
  const questions = hostileQuestions();
  const testId = await school.test(teacher, { students: [anna], questions, name: HOSTILE_TITLE });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/my`);
  await expect(new Shell(page).testLink(HOSTILE_TITLE)).toBeVisible();
  await new Shell(page).testLink(HOSTILE_TITLE).click();
  await new Overview(page).start.click();
  await new Taking(page).goTo(HOSTILE_TEXTS.findIndex((text) => text.startsWith('$')) + 1);
  await page.locator('.katex').first().waitFor({ state: 'attached' });
  await new Taking(page).goTo(1);
  for (const [index, question] of questions.entries()) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Вопрос ${index + 1}`);
    const left = page.getByRole('main').getByRole('button', { expanded: false });
    if (question.kind === 'compliance') await left.click();
    if (index < questions.length - 1) await page.getByRole('button', { name: 'Далее' }).click();
  }
  await new Taking(page).finish();
  await new Verdict(page).mayClose.waitFor();
  const { id } = await attemptOf(school.pool, anna);
  await page.goto(`${school.network.url}/tests/${testId}/results/${id}`);
  await expect(page.getByRole('heading', { name: HOSTILE_TITLE })).toBeVisible();
  expect(seen).toEqual([]);
});

test('a file name, an answer and a comment are plain text wherever they are shown', async ({
  page,
  school,
}) => {
  const seen = await watch(page, school.network.url);
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person({ userName: HOSTILE_NAME });
  const testId = await school.test(teacher, { students: [anna] });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.timer.waitFor();
  await taking.goTo(6);
  await taking.textAnswer.fill('<img src=x onerror=alert(1)>');
  await taking.goTo(5);
  const name = '"><img src=x onerror=alert(1)>.pdf';
  await taking.attach({ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') });
  await expect(taking.fileCard(name)).toBeVisible();
  await taking.onServer.waitFor();
  await page.reload();
  await expect(taking.fileCard(name)).toBeVisible();
  await taking.finish();
  await new Verdict(page).mayClose.waitFor();

  const { id: attemptId } = await attemptOf(school.pool, anna);
  const comment = '<script>alert(1)</script><img src=x onerror=alert(1)> **Хорошо**';
  const { token } = await openSignIn(school, teacher);
  const body = { questionId: Q.essay, points: 3, comment };
  const input = { params: { attemptId }, body };
  expect((await liveCall(school.network.url, gradeItem, input, { token })).status).toBe(200);
  for (const person of [anna, teacher]) {
    await signIn(page, school, person);
    await page.goto(`${school.network.url}/tests/${testId}/results/${attemptId}`);
    await expect(page.getByText(comment)).toBeVisible();
  }
  await expect(page.getByRole('main').getByText(HOSTILE_NAME)).toBeVisible();
  expect(seen).toEqual([]);
});

test('the policy allows only scripts from the files of the app itself', async ({
  page,
  school,
}) => {
  const seen = await watch(page, school.network.url);
  const response = await page.goto(`${school.network.url}/login`);
  const policy = response?.headers()['content-security-policy'] ?? '';
  const directives = new Map(
    policy.split('; ').map((words) => {
      const [name = '', ...sources] = words.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  expect(Object.fromEntries(directives)).toMatchObject({
    'default-src': "'self'",
    // Argon2 of the start code is WebAssembly of the app itself (ADR 15).
    'script-src': "'self' 'wasm-unsafe-eval'",
    'img-src': "'self' data: blob:",
    'object-src': "'none'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
  });
  expect(await page.locator('script:not([src])').count()).toBe(0);
  await page.getByRole('button', { name: 'Войти' }).waitFor();
  expect(seen).toEqual([]);

  const ran = await page.evaluate(() => {
    const inline = document.createElement('script');
    inline.append('window.ran = true');
    document.body.append(inline);
    return 'ran' in window;
  });
  expect(ran).toBe(false);
  const MARKUP = '<img src="data:," onerror="window.ran = true">';
  const FOREIGN = 'https://evil.example/x.js';
  const INJECTIONS: [string, (given: string) => unknown][] = [
    [MARKUP, (markup) => document.body.insertAdjacentHTML('beforeend', markup)],
    [MARKUP, (markup) => (document.createElement('div').innerHTML = markup)],
    ['data:text/javascript,window.ran = true', (script) => import(script)],
    [FOREIGN, (script) => navigator.serviceWorker.register(script)],
    [FOREIGN, (script) => new Worker(script)],
  ];
  for (const [given, inject] of INJECTIONS)
    await expect(page.evaluate(inject, given)).rejects.toThrow();
  await expect.poll(() => seen.join('\n')).toContain('policy: script-src-elem');
  expect(seen.join('\n')).toContain('policy: require-trusted-types-for');
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
});

test('no key reaches the student: in no reply, cache, database or local storage, before and after the finish', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const testId = await school.test(teacher, { students: [anna] });
  const replies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/')) {
      replies.push(response.text().catch(() => ''));
    }
  });
  const keys = [
    CANARY,
    TEACHER_CANARY,
    'isRight',
    'accepted"',
    'tolerance',
    'explanation',
    'feedback"',
  ];
  const expectNoKeys = async () => {
    const stored = withoutCode(await everythingStored(page));
    const bodies = (await Promise.all(replies)).join('\n');
    expect(bodies).toContain('Единица силы?');
    for (const key of keys) {
      expect(bodies, key).not.toContain(key);
      expect(placesWith(stored, key), key).toEqual([]);
    }
    return stored;
  };

  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.timer.waitFor();
  await taking.goTo(2);
  await taking.choose('Паскаль');
  await taking.onServer.waitFor();
  await page.reload();
  await expect(taking.option('Паскаль')).toBeChecked();
  const before = await expectNoKeys();
  expect(placesWith(before, 'Единица силы?'), 'the questions are kept for offline').not.toEqual([]);

  await taking.finish();
  await new Verdict(page).mayClose.waitFor();
  const { id } = await attemptOf(school.pool, anna);
  await page.goto(`${school.network.url}/tests/${testId}/results/${id}`);
  await expect(page.getByRole('heading', { name: 'Вопросы' })).toBeVisible();
  await page.goto(`${school.network.url}/tests/${testId}/results`);
  await expect(page.getByRole('link', { name: /^Попытка 1/ })).toBeVisible();
  await page.goto(`${school.network.url}/tests/my`);
  await expect(new Shell(page).testLink('Законы Ньютона')).toBeVisible();
  await expectNoKeys();
});

/** The app's own code contains the names of key fields, but no keys. */
function withoutCode(stored: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(stored).filter(([place]) => !/\.(js|css)$/.test(place)));
}

test('the address of another student’s attempt or test shows nothing of it', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const anna = await school.person();
  const boris = await school.person({ userName: 'Борис Орлов' });
  const testId = await school.test(teacher, { students: [anna] });
  await signIn(page, school, anna);
  await page.goto(`${school.network.url}/tests/${testId}/overview`);
  await new Overview(page).start.click();
  await new Taking(page).timer.waitFor();
  const { id } = await attemptOf(school.pool, anna);

  await signIn(page, school, boris);
  await page.goto(`${school.network.url}/tests/${testId}/results/${id}`);
  await expect(page.getByText('Не найдено. Возможно, ссылка устарела')).toBeVisible();
  await expect(page.getByText('Законы Ньютона')).toBeHidden();
  await expect(page.getByText(anna.userName)).toBeHidden();
  for (const path of [`/tests/${testId}`, `/tests/${testId}/overview`]) {
    await page.goto(`${school.network.url}${path}`);
    await expect.poll(() => pathOf(page)).toBe('/tests');
  }
});
