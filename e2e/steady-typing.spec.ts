import { ROLE } from '#contract/auth.ts';
import { createRandom, type Random } from '#simulation/random.ts';
import { wholeTest } from '#simulation/questions.ts';
import { oneInTurn } from '#tests/whole.ts';
import { openChromium } from './engines/chromium.ts';
import type { EngineBrowser, EnginePage } from './engines/engine.ts';
import { openFirefox } from './engines/firefox.ts';
import { EnginePerson } from './engines/person.ts';
import { openWebKit } from './engines/webkit.ts';
import { expect, test } from './test-school.ts';

/**
 * Leaves the page at random moments while typing continues without a pause. `TYPING_LEAVES=100` measures more leaves
 * than the few of every run; the counts are the annotations of the tests.
 */
const LEAVES = Number(process.env['TYPING_LEAVES'] ?? 6);
const SEED = Number(process.env['TYPING_SEED'] ?? 1);
const LEAVE_MS = 30_000;
const START_MS = 120_000;

/** Characters younger than this at the moment of leaving may be lost. */
const MAX_LOST_MS = 100;

const ENGINES: Readonly<Record<string, () => Promise<EngineBrowser>>> = {
  Chromium: openChromium,
  Firefox: openFirefox,
  WebKit: openWebKit,
};

/** Numbers of the questions that are answered by keys: a line, several lines, gaps. */
const TYPED_QUESTIONS = [1, 6, 8] as const;

/** On the app's own page: what is typed on the painted one is tested in painted.spec.ts. */
const FIELD = `document.querySelector(
  '#root:not([hidden]) main :is(input:not([type=radio], [type=checkbox], [type=file]), textarea)',
)`;

/** Types into the field in the page, by itself, until the page is gone. */
const TYPE = `
  const [seed, everyMs] = arguments;
  const field = ${FIELD};
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set;
  const keys = [];
  window.typed = () => ({ start, keys, now: Date.now() });
  const put = (value) => {
    setter.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  // A gap takes 500 characters.
  if (field.value.length > 300) put('');
  const start = field.value;
  field.focus();
  let state = seed;
  const next = () => {
    state = (state * 48271) % 2147483647;
    put(field.value + (state % 10));
    keys.push([field.value.slice(-1), Date.now()]);
    setTimeout(next, everyMs * (0.5 + (state % 100) / 100));
  };
  next();
`;

interface TypedSoFar {
  readonly start: string;
  readonly keys: readonly (readonly [character: string, at: number])[];
  readonly now: number;
}

/** Null while typing is impossible: the page loads, or the previous tab still has the attempt. */
const valueOf = (page: EnginePage) =>
  page
    .run<string | null>(
      `const field = ${FIELD}; return field && !field.readOnly ? field.value : null;`,
    )
    .catch(() => null);

async function openQuestion(person: EnginePerson, number: number): Promise<void> {
  await person.click('button', new RegExp(`^Вопрос ${number},`));
  await expect
    .poll(() => person.page.run<string>('return document.querySelector("h1").textContent'))
    .toBe(`Вопрос ${number}`);
}

const DEPARTURES = ['reload', 'location.reload', 'goto', 'close'] as const;
type Departure = (typeof DEPARTURES)[number];

/** Leaves the page and opens the test again. */
async function leave(browser: EngineBrowser, departure: Departure, url: string): Promise<void> {
  const { page } = browser;
  switch (departure) {
    case 'reload':
      return page.reload();
    case 'location.reload':
      await page.run('window.isOld = true; window.location.reload();');
      await expect
        .poll(() => page.run<boolean>('return window.isOld === true').catch(() => true))
        .toBe(false);
      return undefined;
    case 'goto':
      await page.goto(`${new URL(url).origin}/help`);
      return page.goto(url);
    case 'close':
      await browser.reopen();
      return page.goto(url);
  }
}

interface Counts {
  leaves: number;
  typed: number;
  /** Typed at most 100 ms before leaving. */
  lostYoung: number;
  lostOld: number;
  /** Departures that lost something older. */
  losses: string[];
}

/** One departure in the middle of typing, at a random moment. */
async function measure(
  browser: EngineBrowser,
  random: Random,
  departure: Departure,
  url: string,
): Promise<Omit<Counts, 'leaves' | 'losses'>> {
  const { page } = browser;
  await expect.poll(() => valueOf(page), { timeout: LEAVE_MS }).not.toBeNull();
  await page.run(TYPE, random.between(1, 1_000_000), random.pick([40, 80, 135, 350]));
  // A random moment, so there is no condition to wait for.
  await new Promise((resolve) => setTimeout(resolve, random.between(200, 3_000)));
  const { start, keys, now } = await page.run<TypedSoFar>('return window.typed()');
  await leave(browser, departure, url);
  await expect.poll(() => valueOf(page), { timeout: LEAVE_MS }).not.toBeNull();
  const shown = (await valueOf(page)) ?? '';
  const whole = start + keys.map(([character]) => character).join('');
  const common = whole.split('').findIndex((character, at) => shown[at] !== character);
  const lost = common < 0 ? [] : keys.slice(Math.max(0, common - start.length));
  const old = lost.filter(([, at]) => now - at > MAX_LOST_MS);
  if (common >= 0 && common < start.length) throw new Error(`text before ${departure} is gone`);
  return { typed: keys.length, lostYoung: lost.length - old.length, lostOld: old.length };
}

for (const [engine, open] of oneInTurn(Object.entries(ENGINES), 1)) {
  test(`${engine}: reloads, navigations and closed tabs in the middle of typing lose nothing older than 100 ms (row 37)`, async ({
    school,
  }, testInfo) => {
    test.setTimeout(START_MS + LEAVES * LEAVE_MS);
    const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
    const anna = await school.person({ userName: 'Анна Кузнецова' });
    const testId = await school.test(teacher, {
      students: [anna],
      name: 'Законы Ньютона',
      questions: [...wholeTest],
    });
    const url = `${school.network.url}/tests/${testId}`;
    const random = createRandom(SEED, engine);
    const counts: Counts = { leaves: 0, typed: 0, lostYoung: 0, lostOld: 0, losses: [] };
    const browser = await open();
    const person = new EnginePerson(browser.page);
    try {
      await person.signInAndStart(`${school.network.url}/tests/my`, anna.email, /^Законы Ньютона/);
      for (let done = 0; done < LEAVES; done += 1) {
        const every = Math.ceil(LEAVES / TYPED_QUESTIONS.length);
        const number = TYPED_QUESTIONS[Math.floor(done / every)] ?? 1;
        if (done % every === 0) await openQuestion(person, number);
        const departure = DEPARTURES[done % DEPARTURES.length] ?? 'reload';
        const one = await measure(browser, random, departure, url);
        counts.leaves += 1;
        counts.typed += one.typed;
        counts.lostYoung += one.lostYoung;
        counts.lostOld += one.lostOld;
        if (one.lostOld > 0)
          counts.losses.push(`${done} ${departure}: ${one.lostOld} of ${one.typed}`);
      }
    } finally {
      await browser.close();
    }
    testInfo.annotations.push({ type: 'typing', description: JSON.stringify(counts) });
    expect(counts).toMatchObject({ leaves: LEAVES, lostOld: 0, losses: [] });
  });
}
