import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** public/start.js, on a page that lacks the app. */
const SCRIPT = readFileSync('public/start.js', 'utf8');

const server = vi.fn<() => Promise<Response>>();
const reload = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server.mockReset().mockImplementation(() => Promise.resolve(new Response()));
  reload.mockReset();
  vi.spyOn(globalThis, 'fetch').mockImplementation(server);
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  // The app itself is not loaded here.
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

/** @param type how the browser came to this page */
async function lose(type: NavigationTimingType): Promise<void> {
  document.body.innerHTML = `
    <template id="sign-in"><h1>Вход</h1></template>
    <div id="painted">
      <input type="text" value="4,9"><textarea>Начало</textarea>
      <input type="radio"><input type="checkbox" checked>
      <button>Далее</button>
    </div>
    <div id="root"></div>`;
  const script = document.createElement('script');
  script.dataset['app'] = '/assets/device.js';
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { type } as PerformanceNavigationTiming,
  ]);
  let onLoss: EventListener = () => undefined;
  vi.spyOn(window, 'addEventListener').mockImplementation((name, listener) => {
    if (name === 'applost') onLoss = listener as EventListener;
  });
  runInThisContext(SCRIPT);
  onLoss(new Event('applost'));
  await vi.advanceTimersByTimeAsync(0);
}

test('row 42: a page that lacks the app is reloaded at once, after a reload in vain twice a minute', async () => {
  await lose('back_forward');
  expect(reload).toHaveBeenCalledTimes(1);
  await lose('reload');
  expect(reload).toHaveBeenCalledTimes(1);
});

test('row 42: without the server it is not reloaded, and is as soon as the server answers', async () => {
  server.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')));
  await lose('navigate');
  await vi.advanceTimersByTimeAsync(90_000);
  expect(server).toHaveBeenCalledTimes(4);
  expect(reload).not.toHaveBeenCalled();
  server.mockImplementation(() => Promise.resolve(new Response()));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test.each<[string, (page: Element) => void]>([
  ['typed', (page) => Object.assign(page.querySelector('input') ?? {}, { value: '5' })],
  ['written', (page) => Object.assign(page.querySelector('textarea') ?? {}, { value: '' })],
  ['chosen', (page) => page.querySelector<HTMLElement>('[type=radio]')?.click()],
  ['chosen no more', (page) => page.querySelector<HTMLElement>('[type=checkbox]')?.click()],
  ['chosen from a list', (page) => page.append(document.createElement('select'))],
  ['pressed', (page) => page.querySelector('button')?.setAttribute('data-pressed', '1')],
])('row 42: a page on which something was %s meanwhile is not reloaded', async (_, use) => {
  await lose('reload');
  const page = document.querySelector('#painted');
  if (page) use(page);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).not.toHaveBeenCalled();
});

test('row 42: a page that is used while the server is called is not reloaded', async () => {
  let answer: (response: Response) => void = () => undefined;
  server.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  await lose('navigate');
  document.querySelector('button')?.setAttribute('data-pressed', '1');
  answer(new Response());
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).not.toHaveBeenCalled();
});
