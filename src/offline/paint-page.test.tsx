// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paintedCache, stampOf } from '#app/offline/painted-page.ts';
import { attempt, holding } from '#app/outbox/test-rows.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { clearMirror, mirrorSession } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';
import { paintAttempt, paintedBody, paintPage } from './paint-page.ts';

const OWNER = '0197f0a0-0000-7000-8000-000000000001';
const row = attempt({
  owner: OWNER,
  state: 'running',
  streams: [holding({ nextSequence: 4 })],
  lastQuestionId: 'q1',
});
const shown = { owner: OWNER, attemptId: row.attemptId, questionId: 'q1', head: 3 };

/** One cache: its entries by path. */
let entries: Map<string, unknown>;
let storage: Storage;
let root: HTMLElement;
let whilePutting: () => Promise<void>;

beforeEach(async () => {
  entries = new Map();
  whilePutting = async () => undefined;
  const cache = {
    keys: async () => [...entries.keys()].map((path) => ({ url: `http://localhost${path}` })),
    delete: async (address: string) => entries.delete(address),
    put: async (path: string, reply: Response) => {
      entries.set(path, await reply.json());
      await whilePutting();
    },
  };
  vi.stubGlobal('caches', {
    open: async (name: string) => (name === paintedCache(OWNER) ? cache : null),
    delete: async () => entries.clear(),
  });
  window.history.replaceState(null, '', '/tests/1');
  styled({ '/assets/a.css': 'h1 { color: red }' });
  document.body.innerHTML = '<script data-app="/assets/app-1.js"></script><div id="root"></div>';
  document.title = 'Проба: вопрос 1';
  root = document.getElementById('root') ?? document.body;
  root.innerHTML = '<h1>Вопрос 1</h1><input type="text" aria-label="Ответ">';
  storage = createMemoryStorage();
  const user = { userId: OWNER, userName: 'А', email: 'a@b.ru', role: 0, isAdmin: false } as const;
  await mirrorSession(storage, { token: 't', expiresAt: '2026-06-01T00:00:00.000Z', user });
  await storage.write(['attempts'], (tx) => tx.put('attempts', row));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The page's stylesheets by address: jsdom loads none. */
function styled(sheets: Readonly<Record<string, string>>): void {
  document.head.innerHTML = '';
  const styleSheets = Object.entries(sheets).map(([href, css]) => {
    const style = document.createElement('style');
    style.textContent = css;
    document.head.append(style);
    const { cssRules } = style.sheet ?? {};
    return { href: href ? `http://localhost${href}` : null, cssRules, ownerNode: style };
  });
  vi.spyOn(document, 'styleSheets', 'get').mockReturnValue(
    styleSheets as unknown as StyleSheetList,
  );
}

test('fields bear what is entered in them, under names that the app’s fields do not have', async () => {
  root.innerHTML = `
    <input type="text" aria-label="Ответ"><textarea></textarea>
    <input type="radio" name="r"><input type="checkbox" checked>
    <select><option selected>а</option><option>б</option></select>`;
  const [text, radio, box] = root.querySelectorAll('input');
  const [essay, select] = [root.querySelector('textarea'), root.querySelector('select')];
  if (!text || !radio || !box || !essay || !select) throw new Error('a field is missing');
  text.value = 'F = "ma" <';
  essay.value = '</textarea><b>5 < 7';
  radio.checked = true;
  box.checked = false;
  select.value = 'б';
  const copy = document.createElement('div');
  copy.innerHTML = await paintedBody(root);
  const inputs = copy.querySelectorAll('input');
  expect([...inputs].map(({ defaultValue }) => defaultValue)[0]).toBe('F = "ma" <');
  expect([...inputs].slice(1).map(({ defaultChecked }) => defaultChecked)).toEqual([true, false]);
  expect(inputs[1]?.name).toBe('painted-r');
  expect(copy.querySelector('textarea')?.defaultValue).toBe('</textarea><b>5 < 7');
  expect(copy.querySelector('select')?.value).toBe('б');
  expect(text.name + root.querySelector('input[type=radio]')?.getAttribute('name')).toBe('r');
});

test('nothing that runs or leads away without the app is painted', async () => {
  root.innerHTML = `<form action="/x"><p onclick="alert(1)">текст</p><button>Далее</button></form>
    <script>alert(1)</script><iframe src="/"></iframe>
    <img src="blob:http://localhost/1" alt="схема"><svg><script>alert(1)</script></svg>`;
  const html = await paintedBody(root);
  expect(html).not.toMatch(/script|onclick|<form|iframe|blob:/);
  expect(html).toContain('текст');
  expect(html).toContain('alt="схема"');
});

test('a large page is sanitised in parts, at every depth', async () => {
  const row = '<li onclick="x()"><a href="javascript:x()">вариант</a></li>';
  root.innerHTML = `<h1 data-is="1" onclick="x()">Вопрос</h1>текст<!-- x -->
    <form action="/x"><ol class="a">${row.repeat(60)}</ol><script>x()</script></form>
    <table><tbody>${'<tr><td onclick="x()">1</td></tr>'.repeat(60)}</tbody></table>
    <section><div><ul>${row.repeat(60)}</ul></div><iframe src="/"></iframe></section>`;
  const html = await paintedBody(root);
  expect(html).not.toMatch(/script|onclick|<form|iframe|<!--/);
  const copy = document.createElement('div');
  copy.innerHTML = html;
  expect(copy.querySelectorAll('ol.a > li > a, section > div > ul > li > a')).toHaveLength(120);
  expect(copy.querySelectorAll('table > tbody > tr > td')).toHaveLength(60);
  expect(copy.textContent).toContain('Вопростекст');
});

test('styles that components write for themselves stay', async () => {
  root.innerHTML =
    '<style>.a{color:red}@media(min-width:1px){.a{gap:0}}</style><p class="a">текст</p>';
  expect(await paintedBody(root)).toBe(root.innerHTML);
});

test('the page is stored under its path, in place of others', async () => {
  entries.set('/tests/0', {});
  expect(await paintAttempt(root, storage, shown)).toBe(true);
  expect([...entries.keys()]).toEqual(['/tests/1']);
  expect(entries.get('/tests/1')).toEqual({
    app: '/assets/app-1.js',
    stamp: stampOf(row),
    paintedAt: expect.any(Number),
    title: 'Проба: вопрос 1',
    styles: ['/assets/a.css'],
    rules: '',
    fonts: [],
    body: expect.stringContaining('<h1>Вопрос 1</h1>'),
  });
});

test.each([
  ['a state', 'input:focus-visible { color: red }'],
  ['a part that CSS makes', 'h1::before { content: "" }'],
  ['a width', '@media (min-width: 1px) { h1 { color: red } }'],
  ['a selector that cannot be tried', ':unknown(h1) h1 { color: red }'],
])('a stylesheet is needed for %s, and others are left out', async (_, css) => {
  styled({ '/assets/used.css': css, '/assets/other.css': '.list:hover > p { color: red }' });
  await paintAttempt(root, storage, shown);
  expect(entries.get('/tests/1')).toHaveProperty('styles', ['/assets/used.css']);
});

test('rules that components have put into the head are part of the page, where it needs them', async () => {
  styled({ '': 'h1 { color: red; }' });
  await paintAttempt(root, storage, shown);
  expect(entries.get('/tests/1')).toHaveProperty('rules', 'h1 { color: red; }');
  styled({ '': '.list { color: red; }' });
  await paintAttempt(root, storage, shown);
  expect(entries.get('/tests/1')).toHaveProperty('rules', '');
});

test('rules that a painted page brought along are stored once', async () => {
  styled({ '': 'h1 { color: red; } h1 { color: red; }' });
  await paintAttempt(root, storage, shown);
  expect(entries.get('/tests/1')).toHaveProperty('rules', 'h1 { color: red; }');
});

test('the fonts in use are named once, those of formulas only beside a formula', async () => {
  const loaded = ['golos.woff2', 'KaTeX_Main.woff2', 'golos.woff2', 'app.js'];
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue(
    loaded.map((name) => ({ name: `http://localhost/assets/${name}` }) as PerformanceEntry),
  );
  const fonts = async () => {
    await paintAttempt(root, storage, shown);
    return (entries.get('/tests/1') as { fonts: string[] }).fonts;
  };
  expect(await fonts()).toEqual(['/assets/golos.woff2']);
  root.insertAdjacentHTML('beforeend', '<span class="katex">x</span>');
  expect(await fonts()).toEqual(['/assets/golos.woff2', '/assets/KaTeX_Main.woff2']);
});

test.each([
  ['the rows have another answer', { head: 2 }],
  ['the rows have another question', { questionId: 'q2' }],
  ['the attempt is not on the device', { attemptId: 'none' }],
  ['another person is signed in', { owner: 'other' }],
])('nothing is stored while %s', async (_, changes) => {
  expect(await paintAttempt(root, storage, { ...shown, ...changes })).toBe(false);
  expect(entries.size).toBe(0);
});

test.each([
  ['a dialog is open', '<div role="dialog"></div>'],
  ['a part is still loaded', '<p data-waiting></p>'],
  ['a failure is shown', '<p role="alert">Сервер не отвечает</p>'],
])('nothing is stored while %s', async (_, html) => {
  document.body.insertAdjacentHTML('beforeend', html);
  expect(await paintAttempt(root, storage, shown)).toBe(false);
  expect(entries.size).toBe(0);
});

test('a page too large is not stored', async () => {
  root.append('ы'.repeat(300_000));
  expect(await paintAttempt(root, storage, shown)).toBe(false);
});

test('a sign-out meanwhile leaves nothing', async () => {
  whilePutting = () => clearMirror(storage);
  expect(await paintAttempt(root, storage, shown)).toBe(false);
  expect(entries.size).toBe(0);
});

test('lists are stored by their filters, the latest of them, beside the attempt that was painted last', async () => {
  const open = async (address: string) => {
    window.history.replaceState(null, '', address);
    expect(await paintPage(root, storage, OWNER, null)).toBe(true);
  };
  entries.set('/tests/2', {});
  for (let page = 1; page <= 9; page += 1) await open(`/tests?page=${page}`);
  expect([...entries.keys()]).toEqual([
    '/tests/2',
    ...Array.from({ length: 8 }, (_, index) => `/tests?page=${index + 2}`),
  ]);
  window.history.replaceState(null, '', '/tests/1?dialog=questions');
  expect(await paintAttempt(root, storage, shown)).toBe(true);
  expect(entries.size).toBe(9);
  expect([...entries.keys()].slice(-2)).toEqual(['/tests?page=9', '/tests/1']);
});
