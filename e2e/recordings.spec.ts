import type { Page } from '@playwright/test';
import { ROLE } from '#contract/auth.ts';
import { makeRecording } from '#tests/sample-recording.ts';
import { audit } from './audit.ts';
import { expect, test } from './device.ts';
import { Verdict } from './pages/verdict.ts';
import { attemptOf } from './journal.ts';
import { assignOnlyTest, openNewTest, signInAndStart } from './start.ts';

test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });

const SECONDS = 2;
const DIALOG = {
  name: 'диалог.wav',
  mimeType: 'audio/wav',
  buffer: makeRecording(SECONDS),
};
const TRANSCRIPT = 'Мэри просит чай и кладёт на стойку три фунта.';
const MAX_BACK_OFF_MS = 45_000;

/** How long the only recording of a page is, once it can be played to its end. */
const playToEnd = (page: Page) =>
  page.locator('audio').evaluate(async (player: HTMLAudioElement) => {
    player.muted = true;
    player.currentTime = 0;
    const ended = new Promise((resolve) => player.addEventListener('ended', resolve));
    await player.play();
    await ended;
    return player.currentTime;
  });

test('a recording in a shared text is added by the teacher and played on a phone offline, after a reload, by keyboard, and across questions', async ({
  page,
  school,
  device,
}, info) => {
  const teacher = await school.person({ role: ROLE.teacher });
  const student = await school.person({ userName: 'Анна Кузнецова' });
  const editor = await openNewTest(page, school, teacher);
  await editor.add('Ввод ответа', 'Что заказала Мэри?');
  await editor.write({ 'Ответ 1': 'чай' });
  await editor.form.getByText('Дополнительно').click();
  await editor.form
    .getByLabel('Какой общий текст')
    .selectOption({ label: 'Новый текст для этого и других вопросов' });
  const toolbar = editor.form.getByRole('toolbar', { name: 'Оформление: Общий текст' });
  const add = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
    const choosing = page.waitForEvent('filechooser');
    await toolbar.getByRole('button', { name: 'Запись', exact: true }).click();
    await (await choosing).setFiles(file);
    return page.getByRole('dialog', { name: 'Запись' });
  };
  let modal = await add({ name: 'голос.ogg', mimeType: 'audio/ogg', buffer: Buffer.from('OggS') });
  await expect(modal).toContainText('голос.ogg: Такую запись сыграет не каждый телефон');
  await modal.getByRole('button', { name: 'Закрыть' }).last().click();
  modal = await add(DIALOG);
  await modal.getByLabel('Что на записи?').fill('Диалог в кафе');
  await expect(modal).toContainText('На сервере');
  await audit(page, info, 'recording-modal');
  await modal.getByRole('button', { name: 'Вставить' }).click();
  await expect(editor.field('Общий текст')).toHaveValue(/^!\[Диалог в кафе\]\(audio-file:/);
  await expect(editor.seen.getByText('Диалог в кафе')).toBeVisible();
  expect(await playToEnd(page)).toBeCloseTo(SECONDS, 1);
  const transcript = editor.form.getByRole('group', { name: 'Запись в общем тексте' });
  await transcript.getByRole('textbox').fill(TRANSCRIPT);
  await expect(editor.seen.getByText('Текст записи')).toBeHidden();
  await transcript.getByLabel('Показывать ученикам').check();
  await expect(editor.seen.getByText('Текст записи')).toBeVisible();
  await audit(page, info, 'recording-editor');
  await editor.add('Ввод ответа', 'Сколько она заплатила?');
  await editor.write({ 'Ответ 1': '3' });
  await editor.form.getByText('Дополнительно').click();
  await editor.form.getByLabel('Какой общий текст').selectOption({ label: 'Диалог в кафе' });
  await expect(editor.onServer).toBeVisible();
  await editor.publish.click();
  await expect(page.getByText('Опубликован', { exact: true })).toBeVisible();

  const id = await assignOnlyTest(school, student);
  const phone = await device('phone');
  const taken = await phone.open();
  const taking = await signInAndStart(taken, student, 'Новый тест');
  const player = taken.locator('audio');
  await expect(player).toHaveAttribute('src', /^blob:/);
  await phone.goOffline();
  expect(await playToEnd(taken)).toBeCloseTo(SECONDS, 1);
  await audit(taken, info, 'recording-phone');
  await taken.reload();
  await expect(player).toHaveAttribute('src', /^blob:/);
  expect(await playToEnd(taken)).toBeCloseTo(SECONDS, 1);
  for (const width of [360, 820, 1280]) {
    await taken.setViewportSize({ width, height: 800 });
    const overflow = await taken.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `at ${width}`).toBeLessThanOrEqual(0);
    expect((await player.boundingBox())?.height, `at ${width}`).toBeGreaterThanOrEqual(44);
  }
  // A person who cannot hear it opens the transcript, by keyboard and without a network.
  const summary = taken.locator('summary', { hasText: 'Текст записи' });
  await expect(taken.getByText(TRANSCRIPT)).toBeHidden();
  await summary.focus();
  await taken.keyboard.press('Enter');
  await expect(taken.getByText(TRANSCRIPT)).toBeVisible();
  await audit(taken, info, 'recording-transcript');
  await taken.keyboard.press('Enter');
  await expect(taken.getByText(TRANSCRIPT)).toBeHidden();
  await player.focus();
  await taken.keyboard.press('Space');
  await expect(player).toHaveJSProperty('paused', false);
  // The other question about the same recording does not interrupt it.
  await player.evaluate((playing: HTMLAudioElement) => {
    playing.loop = true;
    return playing.play();
  });
  await taking.goTo(2);
  await expect(taken.getByText('Сколько она заплатила?')).toBeVisible();
  await expect(player).toHaveJSProperty('paused', false);
  await taking.goTo(1);
  await taking.textAnswer.fill('чай');
  await phone.goOnline();
  await expect(taking.onServer).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  await taking.finish();
  await expect(new Verdict(taken).mayClose).toBeVisible({ timeout: MAX_BACK_OFF_MS });
  const attempt = await attemptOf(school.pool, student);
  expect(attempt).toMatchObject({ ended: 'finished', points: 1 });
  await taken.goto(`/tests/${id}/results/${attempt.id}/preview`);
  await expect(taken.locator('audio').first()).toHaveAttribute('src', /^blob:/);
  await taken.getByText('Общий текст').first().click();
  await taken.getByText('Текст записи').first().click();
  await expect(taken.getByText(TRANSCRIPT).first()).toBeVisible();
  await audit(taken, info, 'recording-review');
});
