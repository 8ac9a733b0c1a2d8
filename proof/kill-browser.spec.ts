import assert from 'node:assert/strict';
import { expect, type Page } from '@playwright/test';
import type { Pool } from 'pg';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { createRandom, type Random } from '#simulation/random.ts';
import { Q, smallTest } from '#tests/school.ts';
import { rows } from '#server/db/query.ts';
import { expectArrivedOnce } from '#e2e/answers.ts';
import { deviceOperations } from '#e2e/device-rows.ts';
import { test, type Device } from '#e2e/device.ts';
import { attemptOf, countingAnswers } from '#e2e/journal.ts';
import { Taking } from '#e2e/pages/taking.ts';
import { signInAndStart } from '#e2e/start.ts';
import type { BrowserCounts } from './browser-kills.ts';

/** A status label shown by the page, and the answer shown at the same moment. */
interface Shown {
  readonly question: number;
  readonly label: string;
  readonly value: string;
}

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

const FIRST_SEED = setting('PROOF_SEED', 1);
const KILLS = setting('PROOF_KILLS', 2);
const KILLS_EACH = setting('PROOF_KILLS_EACH', 2);
const UNTIL = setting('PROOF_UNTIL', Number.MAX_SAFE_INTEGER);

/** Maximum time from the first answer to the kill of the browser. */
const MAX_LIFE_MS = 4_000;
/** Time-outs for the start and the end, and for one kill, on a busy machine. */
const START_MS = 300_000;
const KILL_MS = 120_000;
const ON_DEVICE = 'Сохранено на устройстве';
const ON_SERVER = 'Сохранено на сервере';

const OPTIONS: Readonly<Record<number, readonly string[]>> = {
  2: ['Паскаль', 'Ньютон'],
  3: ['Сила', 'Масса', 'Скорость', 'Путь'],
};
const QUESTION_IDS: Readonly<Record<number, string>> = {
  1: Q.open,
  2: Q.single,
  3: Q.several,
  6: Q.essay,
};

/**
 * Runs in the page: reports each change of the answer's status label together with the answer beside it.
 * Both are read in the same event loop turn, so that they belong together.
 */
function watchScreen(): void {
  let last = '';
  const report = (): void => {
    const heading = document.querySelector('h1')?.textContent ?? '';
    const question = Number(/^Вопрос (\d+)/.exec(heading)?.[1] ?? 0);
    if (question === 0) return;
    const main = document.querySelector('main');
    const label = /Сохранено на (?:устройстве|сервере)/.exec(main?.textContent ?? '')?.[0] ?? '';
    const field = main?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      'textarea, input[type=text], input:not([type])',
    );
    const chosen = [...(main?.querySelectorAll<HTMLInputElement>('input') ?? [])]
      .filter(({ type, checked }) => (type === 'radio' || type === 'checkbox') && checked)
      .map((input) => (input.labels?.[0] ?? input.closest('label'))?.textContent?.trim() ?? '');
    const value = field ? field.value : chosen.toSorted().join('|');
    const now = JSON.stringify({ question, label, value });
    if (now === last) return;
    last = now;
    void (window as unknown as { proofShown(shown: string): Promise<void> }).proofShown(now);
  };
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(report).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
}

/** Subscribes to what the page shows, until its browser is killed. */
async function listen(page: Page, onShown: (shown: Shown) => void): Promise<void> {
  await page.exposeFunction('proofShown', (shown: string) => onShown(JSON.parse(shown) as Shown));
  await page.addInitScript(watchScreen);
}

/** A student's writes to one question, oldest first, and the newest shown as saved. */
class Writes {
  readonly values: string[] = [''];
  /** The newest write shown as saved; 0: none. */
  saved = 0;

  write(value: string): void {
    this.values.push(value);
  }

  show(value: string): void {
    const found = this.values.lastIndexOf(value);
    assert.notEqual(found, -1, `the screen shows as saved what nobody wrote: ${value}`);
    this.saved = Math.max(this.saved, found);
  }

  /** Whether an answer is the newest shown as saved, or a newer one. */
  allows(value: string): boolean {
    return this.values.lastIndexOf(value) >= this.saved;
  }
}

/** One device, its student, and what its screens promised over all browser starts. */
class DeviceStudent {
  readonly writes = new Map([1, 2, 3, 6].map((question) => [question, new Writes()]));
  readonly counts = { writes: 0, shownOnDevice: 0, shownOnServer: 0 };
  /** Answers that the screen showed as on the server, by question. */
  readonly onServer = new Map<number, Set<string>>();
  readonly #random: Random;
  readonly #chosen = new Map<number, ReadonlySet<string>>();
  #onWrite: () => void = () => undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  onShown = ({ question, label, value }: Shown): void => {
    if (label === '' || value === '') return;
    const own = this.writes.get(question);
    if (!own) return;
    own.show(value);
    if (label === ON_DEVICE) this.counts.shownOnDevice += 1;
    if (label !== ON_SERVER) return;
    this.counts.shownOnServer += 1;
    this.onServer.set(question, (this.onServer.get(question) ?? new Set()).add(value));
  };

  /** Resolves when the student begins to write the next answer. */
  nextWrite(): Promise<void> {
    return new Promise((resolve) => {
      this.#onWrite = resolve;
    });
  }

  #note(question: number, value: string): void {
    this.counts.writes += 1;
    this.#onWrite();
    this.writes.get(question)?.write(value);
  }

  /** Answers one question after another until the browser is killed. */
  async answerUntilKilled(page: Page): Promise<never> {
    const taking = new Taking(page);
    for (;;) {
      const question = this.#random.pick([1, 2, 3, 6]);
      await taking.goTo(question);
      const options = OPTIONS[question];
      for (let i = this.#random.between(1, 3); i > 0; i -= 1) {
        if (options) await this.#choose(taking, question, this.#random.pick(options));
        else {
          const text = `${this.counts.writes + 1},${question}`;
          this.#note(question, text);
          await taking.textAnswer.fill(text);
        }
        // Some students continue at once, others wait for the status label.
        if (this.#random.chance(0.5)) await this.#lookAt(taking);
      }
    }
  }

  async #lookAt(taking: Taking): Promise<void> {
    await expect(taking.onDevice.or(taking.onServer)).toBeVisible();
  }

  async #choose(taking: Taking, question: number, option: string): Promise<void> {
    const before = this.#chosen.get(question) ?? new Set<string>();
    if (question === 2 && before.has(option)) return;
    const after = new Set(question === 2 ? [] : before);
    if (!after.delete(option)) after.add(option);
    this.#chosen.set(question, after);
    this.#note(question, [...after].toSorted().join('|'));
    await taking.option(option).click();
  }

  /** After a kill: what the screen showed as saved, or something newer, is shown again. */
  async checkAfterKill(page: Page): Promise<void> {
    const taking = new Taking(page);
    for (const [question, own] of this.writes) {
      await taking.goTo(question);
      const read = () => this.#valueOn(taking, question);
      await expect
        .poll(async () => own.allows(await read()), {
          message: `question ${question}: of ${own.values.join('; ')} number ${own.saved} was shown as saved`,
        })
        .toBe(true);
      const value = await read();
      if (OPTIONS[question]) this.#chosen.set(question, new Set(value.split('|').filter(Boolean)));
      // Answers never shown as saved may be lost; the shown ones are the baseline of the next start.
      own.write(value);
    }
  }

  async #valueOn(taking: Taking, question: number): Promise<string> {
    const options = OPTIONS[question];
    if (!options) return taking.textAnswer.inputValue();
    const checked = await Promise.all(options.map((option) => taking.option(option).isChecked()));
    return options
      .filter((_, index) => checked[index])
      .toSorted()
      .join('|');
  }
}

/** State of the network of one browser start; it may change before the kill. */
async function changeNetwork(device: Device, random: Random): Promise<void> {
  const kind = random.pick(['online', 'online', 'offline', 'offline', 'repliesLost', 'silent']);
  if (kind === 'offline') return device.goOffline();
  await device.goOnline();
  if (kind === 'online') return;
  const fate = kind === 'silent' ? 'silence' : 'loseReply';
  device.network.rule = ({ path }) => (path.startsWith('/api/TestPassing/') ? fate : 'deliver');
}

const textOf = (answer: Answer | undefined): string => {
  if (answer?.kind === 'open') return answer.text;
  if (answer?.kind !== 'variant') return '';
  const requested = smallTest.find(({ questionId }) => questionId === answer.questionId);
  const options = requested?.kind === 'variant' ? requested.options : [];
  return options
    .filter(({ optionId }) => answer.optionIds.includes(optionId))
    .map(({ text }) => text)
    .toSorted()
    .join('|');
};

/** All answers to a question in the server's journal. */
async function readJournalled(
  pool: Pool,
  attemptId: string,
  questionId: string,
): Promise<Set<string>> {
  const found = await rows<{ body: Answer }>(
    pool,
    `select body from operations where attempt_id = $1 and question_id = $2 and kind = 'answer'`,
    [attemptId, questionId],
  );
  return new Set(found.map(({ body }) => textOf(body)));
}

test('what the screen showed as saved is there after the browser was killed', async ({
  device,
  school,
}, testInfo) => {
  const seed = FIRST_SEED + testInfo.repeatEachIndex;
  const kills = Math.min(KILLS_EACH, KILLS - testInfo.repeatEachIndex * KILLS_EACH);
  testInfo.annotations.push({ type: 'seed', description: String(seed) });
  if (Date.now() > UNTIL) return;
  test.setTimeout(START_MS + kills * KILL_MS);
  const random = createRandom(seed, 'browser');
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const student = await school.person();
  const testId = await school.test(teacher, { students: [student] });
  const phone = await device(random.pick(['phone', 'desktop']));
  const writer = new DeviceStudent(random.fork('student'));
  let page = await phone.open();
  await listen(page, writer.onShown);
  await signInAndStart(page, student);
  await phone.untilSignInLasts(page);
  const attempt = await attemptOf(school.pool, student);

  let killed = 0;
  while (killed < kills && Date.now() < UNTIL) {
    await changeNetwork(phone, random);
    let isKilling = false;
    const wrote = writer.nextWrite();
    // Any error of a call to the killed browser ends this browser start.
    const ended = writer
      .answerUntilKilled(page)
      .catch((cause: unknown) => (isKilling ? null : cause));
    await Promise.race([wrote, ended]);
    // A random moment, so there is no condition to wait for.
    await new Promise((resolve) => setTimeout(resolve, random.between(0, MAX_LIFE_MS)));
    if (random.chance(0.3)) await changeNetwork(phone, random);
    isKilling = true;
    await phone.kill();
    const failure = await ended;
    expect(failure).toBeNull();
    killed += 1;
    for (const [question, values] of writer.onServer) {
      const stored = await readJournalled(school.pool, attempt.id, QUESTION_IDS[question] ?? '');
      for (const value of values)
        expect(stored, `question ${question} on the server`).toContain(value);
    }
    page = await phone.open();
    await listen(page, writer.onShown);
    await page.goto(`/tests/${testId}`);
    await expect(new Taking(page).timer).toBeVisible();
    await writer.checkAfterKill(page);
  }

  await phone.goOnline();
  await page.reload();
  await expect(new Taking(page).timer).toBeVisible();
  await expect
    .poll(async () => (await deviceOperations(page)).filter(({ state }) => state === 'waiting'), {
      timeout: 120_000,
    })
    .toEqual([]);
  const arrived = await expectArrivedOnce([page], school.pool, attempt.id);
  const counting = await countingAnswers(school.pool, attempt.id);
  for (const [question, own] of writer.writes)
    expect(own.allows(textOf(counting[QUESTION_IDS[question] ?? ''])), `question ${question}`).toBe(
      true,
    );
  const counts: BrowserCounts = { kills: killed, ...writer.counts, arrived: arrived.length };
  testInfo.annotations.push({ type: 'toll', description: JSON.stringify(counts) });
});
