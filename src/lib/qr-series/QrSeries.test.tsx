import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { click, render } from '#app/ui/test-render.tsx';
import { QrSeries } from './QrSeries.tsx';
import { readCode } from './read-code.ts';
import { createSeriesReader } from './series-reader.ts';

const BYTES = Uint8Array.from({ length: 1_200 }, (_, at) => (at * 7) & 255);

interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** Pictures that the canvas has shown. */
let shown: Pixels[];
let prefersStillness: boolean;

beforeEach(() => {
  shown = [];
  prefersStillness = false;
  vi.useFakeTimers();
  const context = {
    createImageData: (width: number, height: number): Pixels => ({
      width,
      height,
      data: new Uint8ClampedArray(width * height * 4),
    }),
    putImageData: (pixels: Pixels) => void shown.push(pixels),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    context as unknown as RenderingContext & null,
  );
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('reduced-motion') && prefersStillness,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Four times as large: a reader needs more than a pixel for a module. */
function enlarge({ width, height, data }: Pixels): Pixels {
  const large = new Uint8ClampedArray(width * height * 16 * 4);
  for (let y = 0; y < height * 4; y += 1)
    for (let x = 0; x < width * 4; x += 1) {
      const from = ((y >> 2) * width + (x >> 2)) * 4;
      large.set(data.subarray(from, from + 4), (y * width * 4 + x) * 4);
    }
  return { width: width * 4, height: height * 4, data: large };
}

const wait = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

/** Codes that appear within a second. */
async function countInSecond(): Promise<number> {
  const before = shown.length;
  await wait(1_000);
  return shown.length - before;
}

const buttonOf = (container: HTMLElement, text: string) =>
  [...container.querySelectorAll('button')].find(({ textContent }) => textContent === text);

test('shows codes that give the bytes to a reader', async () => {
  await render(<QrSeries bytes={BYTES} label="Ответы" />);
  await wait(3_000);
  const reader = createSeriesReader();
  const read = shown.map((pixels) => {
    const content = readCode(enlarge(pixels));
    return content && reader.add(content).bytes;
  });
  expect(Buffer.from(read.at(-1) ?? []).equals(BYTES)).toBe(true);
});

test('no second has more than three flashes: six changes, and two with reduced motion', async () => {
  const fast = await render(<QrSeries bytes={BYTES} label="Ответы" />);
  expect(await countInSecond()).toBe(6);
  await click(buttonOf(fast.container, 'Медленнее'));
  expect(await countInSecond()).toBe(2);
  await click(buttonOf(fast.container, 'Быстрее'));
  expect(await countInSecond()).toBe(6);
  await fast.unmount();
  prefersStillness = true;
  const still = await render(<QrSeries bytes={BYTES} label="Ответы" />);
  expect(await countInSecond()).toBe(2);
  expect(still.container.textContent).toContain('отключена анимация');
});

test('a pause stops the codes, and they continue where they were', async () => {
  const { container } = await render(<QrSeries bytes={BYTES} label="Ответы" />);
  await click(buttonOf(container, 'Пауза'));
  expect(await countInSecond()).toBe(0);
  await click(buttonOf(container, 'Продолжить'));
  expect(await countInSecond()).toBe(6);
});

test('a short text is one still code without buttons', async () => {
  const bytes = new TextEncoder().encode('Принято');
  const { container } = await render(<QrSeries bytes={bytes} label="Квитанция" />);
  expect(shown).toHaveLength(1);
  expect(await countInSecond()).toBe(0);
  expect(container.querySelector('button')).toBeNull();
});

test('the codes have a name, are surrounded by white, and are not announced', async () => {
  const { container } = await render(<QrSeries bytes={BYTES} label="Ответы" />);
  const code = container.querySelector('canvas');
  expect(code?.getAttribute('role')).toBe('img');
  expect(code?.getAttribute('aria-label')).toBe('Ответы');
  expect(document.querySelector('output, [aria-live], [role="status"]')).toBeNull();
  const [{ width, data } = { width: 0, data: new Uint8ClampedArray() }] = shown;
  expect(width).toBeGreaterThan(0);
  expect(data.subarray(0, 4 * width * 4).every((light) => light === 255)).toBe(true);
});

test('other bytes begin another series', async () => {
  const { show } = await render(<QrSeries bytes={BYTES} label="Ответы" />);
  await wait(1_000);
  const other = BYTES.map((byte) => byte ^ 1);
  shown = [];
  await show(<QrSeries bytes={other} label="Ответы" />);
  await wait(1_000);
  const reader = createSeriesReader();
  const contents = shown.flatMap((pixels) => readCode(enlarge(pixels)) ?? []);
  const last = contents.map((content) => reader.add(content)).at(-1);
  expect(Buffer.from(last?.bytes ?? []).equals(other)).toBe(true);
});
