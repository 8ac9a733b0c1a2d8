import { createHash } from 'node:crypto';
import { ROLE } from '#contract/auth.ts';
import { Q, RIGHT } from '#tests/school.ts';
import { oneInTurn } from '#tests/whole.ts';
import { expectArrivedOnce, photograph } from './answers.ts';
import { expect, test, type Device } from './device.ts';
import { attemptOf, countingAnswers, journal, uploads } from './journal.ts';
import { Result } from './pages/result.ts';
import { Shell } from './pages/shell.ts';
import { SignIn } from './pages/sign-in.ts';
import { signInAndStart } from './start.ts';
import { Taking } from './pages/taking.ts';
import { Verdict } from './pages/verdict.ts';
import { PASSWORD, type TestSchool } from './test-school.ts';

/** Two of two, none of one for the wrong one, then all right: 2 + 1 + 2 + 3; file and essay await the teacher. */
const DESERVED = 8;
const MAX_BACK_OFF_MS = 45_000;

interface Cut {
  cut(school: TestSchool, phone: Device): Promise<void>;
  mend(school: TestSchool, phone: Device): Promise<void>;
}

const CUTS: Readonly<Record<string, Cut>> = {
  'the server stopped': {
    cut: (school) => school.stopServer(),
    mend: (school) => school.startServer(),
  },
  'the device without a network': {
    cut: (_, phone) => phone.goOffline(),
    mend: (_, phone) => phone.goOnline(),
  },
  'every reply lost after the request arrived': {
    async cut(_, { network }) {
      network.rule = ({ path }) => (path.startsWith('/api/TestPassing/') ? 'loseReply' : 'deliver');
    },
    async mend(_, { network }) {
      network.rule = () => 'deliver';
    },
  },
};

test.describe.configure({ mode: 'parallel' });

for (const [name, { cut, mend }] of oneInTurn(Object.entries(CUTS))) {
  test(`with ${name}, four kinds of answers and the finish survive two reloads and kill -9, and arrive once`, async ({
    browser,
    device,
    school,
  }) => {
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const student = await school.person();
    const testId = await school.test(teacher, { students: [student], name: 'Законы Ньютона' });
    const phone = await device('phone');
    let page = await phone.open();

    let taking = await signInAndStart(page, student);
    const attempt = await attemptOf(school.pool, student);

    await cut(school, phone);
    await taking.textAnswer.fill('4,9');
    await expect(taking.onDevice).toBeVisible();
    await taking.goTo(2);
    await taking.choose('Паскаль');
    await expect(taking.onDevice).toBeVisible();

    await page.reload();
    await expect(taking.option('Паскаль')).toBeChecked();
    await taking.goTo(3);
    await taking.choose('Сила', 'Скорость');
    await taking.goTo(4);
    await taking.match('Сила', 'Н');
    await taking.match('Мощность', 'Вт');
    await taking.match('Давление', 'Па');
    await expect(taking.onDevice).toBeVisible();

    await page.reload();
    await expect(taking.leftItem('Давление')).toContainText('Па');
    await taking.goTo(5);
    const photo = await photograph(page);
    await taking.attach(photo);
    await expect(taking.fileCard('решение.jpg')).toBeVisible();
    await expect(taking.onDevice).toBeVisible();

    await phone.untilSignInLasts(page);
    await phone.kill();
    page = await phone.open();
    taking = new Taking(page);
    await page.goto('/tests/my');
    await new Shell(page).resumeTest();
    await expect(taking.fileCard('решение.jpg')).toBeVisible();
    await taking.goTo(2);
    await expect(taking.option('Паскаль')).toBeChecked();
    await taking.choose('Ньютон');
    await taking.goTo(6);
    await taking.textAnswer.fill('Тележка и грузы на нити');
    await taking.finish();
    const verdict = new Verdict(page);
    await expect(verdict.stay).toHaveText('Не закрывайте: 6 ответов ещё на устройстве');
    const before = await journal(school.pool, attempt.id);
    if (phone.network.lostReplies === 0) expect(before).toEqual([]);

    await mend(school, phone);
    await expect(verdict.mayClose).toBeVisible({ timeout: MAX_BACK_OFF_MS });

    const arrived = await expectArrivedOnce([page], school.pool, attempt.id);
    expect(arrived.map(({ outcome }) => outcome)).toEqual(arrived.map(() => 'stored'));
    expect(arrived.filter(({ kind }) => kind === 'finish')).toHaveLength(1);
    const counting = await countingAnswers(school.pool, attempt.id);
    expect(counting).toMatchObject({
      [Q.open]: { text: '4,9' },
      [Q.single]: RIGHT.single,
      [Q.several]: RIGHT.several,
      [Q.matching]: RIGHT.matching,
      [Q.file]: { name: 'решение.jpg', size: photo.buffer.length },
      [Q.essay]: { text: 'Тележка и грузы на нити' },
    });
    expect(await uploads(school.pool, attempt.id)).toEqual([
      {
        questionId: Q.file,
        size: photo.buffer.length,
        received: photo.buffer.length,
        sha256: createHash('sha256').update(photo.buffer).digest('hex'),
        isComplete: true,
      },
    ]);
    expect(await attemptOf(school.pool, student)).toMatchObject({
      ended: 'finished',
      points: DESERVED,
    });
    await expect(new Result(page).score).toHaveText(String(DESERVED));
    await verdict.lookAtAnswers();
    await expect(verdict.mayClose).toBeVisible();

    const desk = await browser.newPage({ baseURL: school.network.url });
    await desk.goto(`/tests/${testId}/results/${attempt.id}`);
    await new SignIn(desk).signIn({ email: teacher.email, password: PASSWORD });
    const seen = new Result(desk);
    await expect(seen.score).toHaveText(String(DESERVED));
    await expect(seen.of).toContainText('из 8 проверенных баллов');
    await desk.close();
  });
}
