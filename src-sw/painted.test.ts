import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paintedCache, stampOf, type PaintedPage } from '#app/offline/painted-page.ts';
import { NEW_CLOCK } from '#app/outbox/clock.ts';
import { attempt, holding, STREAM } from '#app/outbox/test-rows.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { readMirror } from '#app/storage/session-mirror.ts';
import type { AttemptRow } from '#app/storage/rows.ts';
import type { Storage } from '#app/storage/storage.ts';
import { fakeCaches } from './fake-caches.ts';
import { ANNA, SCHOOL, signIn, signOut } from './fake-sign-in.ts';
import { paintedPage } from './painted.ts';

const NOW = Date.parse('2026-05-22T07:00:00.000Z');
const SHELL =
  '<title>Платформа</title><link href="/assets/a.css"></head><script src="/start.js" data-app="/assets/app-1.js"></script><div id="root">Загружаем</div>';
const BODY =
  '<header><span data-remaining="" class="t">99:99</span></header><h1>Вопрос 2</h1><p>стоит $&amp; 5</p>';

const row = attempt({
  owner: ANNA,
  state: 'running',
  finishedAt: null,
  streams: [holding()],
  deadline: NOW + 10 * 60_000,
  marks: ['q1'],
});
const PATH = `/tests/${row.testId}`;
const page: PaintedPage = {
  app: '/assets/app-1.js',
  stamp: stampOf(row),
  paintedAt: NOW,
  title: 'Сила & <масса>',
  styles: ['/assets/a.css', '/assets/b.css'],
  rules: '.m{gap:0}',
  fonts: ['/assets/f.woff2'],
  body: BODY,
};

let storage: Storage;
let device: ReturnType<typeof fakeCaches>;
beforeEach(async () => {
  device = fakeCaches();
  vi.stubGlobal('caches', device.caches);
  storage = createMemoryStorage();
  await signIn(storage);
  await store(row);
  await cache(page);
  await storage.write(['device'], (tx) =>
    tx.put('device', { ...NEW_CLOCK, offset: 60_000, lastWall: NOW - 1_000 }),
  );
});
afterEach(() => vi.unstubAllGlobals());

const store = (changed: AttemptRow) =>
  storage.write(['attempts'], (tx) => tx.put('attempts', changed));

async function cache(stored: unknown, address = PATH): Promise<void> {
  const opened = await device.caches.open(paintedCache(ANNA));
  await opened.put(address, Response.json(stored));
}

const paint = (path = PATH, now = NOW) =>
  paintedPage(new URL(path, SCHOOL), SHELL, { storage, now });

test('the shell holds the painted page, with the time left by the server’s clock', async () => {
  const html = await paint();
  expect(html).toContain('<title>Сила &amp; &lt;масса></title>');
  expect(html).toContain('<div id="painted"><header><span data-remaining="" class="t">9:00</span>');
  expect(html).toContain('<p>стоит $&amp; 5</p></div><script src="/painted.js"></script>');
  expect(html).toContain('<div id="root" hidden>Загружаем</div>');
});

test('fonts are loaded before the first frame', async () => {
  expect(await paint()).toContain(
    '<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/f.woff2" />',
  );
});

test('a stylesheet of the shell is not loaded twice, and others come after it', async () => {
  const html = (await paint()) ?? '';
  expect(html.split('/assets/a.css')).toHaveLength(2);
  expect(html).toContain('"/assets/a.css"><link rel="stylesheet" href="/assets/b.css" /></head>');
  expect(html).toContain('<style>.m{gap:0}</style>');
});

const later = { ...row, streams: [holding({ nextSequence: 11 })] };
const CHANGES: Readonly<Record<string, Partial<AttemptRow>>> = {
  'an answer was written since': later,
  'another question was opened since': { lastQuestionId: 'q2' },
  'a question was marked since': { marks: [] },
  'the time was extended since': { deadline: row.deadline + 60_000 },
  'a finish waits': { state: 'finishing' },
  'the attempt is over': { state: 'finished' },
  'another device goes on': { takenOver: true },
  'the attempt was deleted': { gone: true },
  'the stream is another one': { stream: `${STREAM}0` },
  'it is of another person': { owner: 'other' },
};
test.each(Object.entries(CHANGES))('the shell alone when %s', async (_, changes) => {
  expect(await paint()).not.toBeNull();
  await store({ ...row, ...changes });
  expect(await paint()).toBeNull();
});

test('the shell alone for a finished attempt, even if it was painted as such', async () => {
  const finished: AttemptRow = { ...row, state: 'finished' };
  await store(finished);
  await cache({ ...page, stamp: stampOf(finished) });
  expect(await paint()).toBeNull();
});

test('the shell alone once the time is over, or the clock was set back', async () => {
  expect(await paint(PATH, NOW + 8 * 60_000)).not.toBeNull();
  expect(await paint(PATH, NOW + 9 * 60_000)).toBeNull();
  expect(await paint(PATH, NOW - 4_000)).toBeNull();
});

test('the shell alone after a sign-out and after the session', async () => {
  const expires = Date.parse('2026-06-01T00:00:00.000Z');
  const longer = { ...row, deadline: expires + 3_600_000 };
  await store(longer);
  await cache({ ...page, stamp: stampOf(longer) });
  expect(await paint(PATH, expires - 1)).not.toBeNull();
  expect(await paint(PATH, expires)).toBeNull();
  await signOut(storage);
  expect(await paint()).toBeNull();
});

test.each([
  ['of another build', { ...page, app: '/assets/app-2.js' }],
  ['of a newer form', { ...page, body: undefined, parts: [] }],
  ['with a stylesheet from elsewhere', { ...page, styles: ['https://evil.example/a.css'] }],
  ['with rules that end their element', { ...page, rules: '</style><script src="/x.js">' }],
  ['with an address that ends the tag', { ...page, fonts: ['/assets/"><script>.woff2'] }],
])('the shell alone for a page %s', async (_, stored) => {
  await cache(stored);
  expect(await paint()).toBeNull();
});

test('the address of an attempt may name a dialog', async () => {
  expect(await paint(`${PATH}?dialog=questions`)).not.toBeNull();
});

test.each(['/tests', '/tests/my', '/tests?page=2', `${PATH}/overview`])(
  'a list is shown as it was, for some hours: %s',
  async (address) => {
    await cache({ ...page, stamp: null, body: '<h1>Тесты</h1>' }, address);
    expect(await paint(address)).toContain('<div id="painted"><h1>Тесты</h1></div>');
    expect(await paint(address, NOW + 13 * 3_600_000)).toBeNull();
    expect(await paint(`${address}${address.includes('?') ? '&' : '?'}other=1`)).toBeNull();
  },
);

test('a list is shown to students alone', async () => {
  await cache({ ...page, stamp: null }, '/tests/my');
  expect(await paint('/tests/my')).not.toBeNull();
  const mirror = await readMirror(storage);
  if (!mirror) throw new Error('Anna is signed in');
  await storage.write(['session'], (tx) =>
    tx.put('session', { ...mirror, user: { ...mirror.user, role: 1 } }),
  );
  expect(await paint('/tests/my')).toBeNull();
});

test('a page without an attempt is never painted as one; other paths get the shell', async () => {
  await cache({ ...page, stamp: null });
  expect(await paint()).toBeNull();
  await cache({ ...page, stamp: null }, '/profile');
  expect(await paint('/profile')).toBeNull();
});
