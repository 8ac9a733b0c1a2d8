import { act } from 'react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { encodeSeries } from './encode-series.ts';
import { QrSeriesCamera } from './QrSeriesCamera.tsx';
import { readCode, type CameraImage } from './read-code.ts';
import { photographCode } from './test-picture.ts';

const BYTES = Uint8Array.from({ length: 1_200 }, (_, at) => (at * 11) & 255);
const SERIES = encodeSeries(BYTES);
const FOREIGN = photographCode(new TextEncoder().encode('https://school.example'));

/** What the camera sees now. */
let picture: CameraImage;
/** Callbacks that wait for the video's next picture. */
let waiting: Map<number, () => void>;
let tracks: FakeTrack[];
let workers: FakeWorker[];
let isWorkerLost: boolean;
let visibility: DocumentVisibilityState;
const getUserMedia = vi.fn<(constraints: MediaStreamConstraints) => Promise<MediaStream>>();

class FakeTrack extends EventTarget {
  readyState = 'live';
  readonly deviceId: string;
  constructor(deviceId: string) {
    super();
    this.deviceId = deviceId;
  }
  stop() {
    this.readyState = 'ended';
  }
  getSettings() {
    return { deviceId: this.deviceId };
  }
}

/** Reads as the real worker does. */
class FakeWorker extends EventTarget {
  isTerminated = false;
  constructor() {
    super();
    workers.push(this);
  }
  postMessage(image: CameraImage) {
    queueMicrotask(() =>
      this.dispatchEvent(
        isWorkerLost ? new Event('error') : new MessageEvent('message', { data: readCode(image) }),
      ),
    );
  }
  terminate() {
    this.isTerminated = true;
  }
}

const openTrack = (deviceId: string) => {
  const track = new FakeTrack(deviceId);
  tracks.push(track);
  return { getTracks: () => [track], getVideoTracks: () => [track] } as unknown as MediaStream;
};

/** Until the end of the test: the next files share the page. */
function replace(target: object, properties: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(properties)) {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    onTestFinished(() => {
      if (before) Object.defineProperty(target, name, before);
      else Reflect.deleteProperty(target, name);
    });
  }
}

beforeEach(() => {
  picture = FOREIGN;
  waiting = new Map();
  tracks = [];
  workers = [];
  isWorkerLost = false;
  visibility = 'visible';
  let requests = 0;
  replace(HTMLVideoElement.prototype, {
    videoWidth: 640,
    videoHeight: 480,
    srcObject: null,
    play: async () => undefined,
    requestVideoFrameCallback: (callback: () => void) => {
      requests += 1;
      waiting.set(requests, callback);
      return requests;
    },
    cancelVideoFrameCallback: (request: number) => waiting.delete(request),
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: () => undefined,
    getImageData: () => picture,
  } as unknown as RenderingContext & null);
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  vi.stubGlobal('Worker', FakeWorker);
  replace(window, { isSecureContext: true });
  getUserMedia.mockReset().mockImplementation(async ({ video }) => {
    const chosen = typeof video === 'object' && (video.deviceId as { exact: string } | undefined);
    return openTrack(chosen ? chosen.exact : 'back');
  });
  replace(navigator, {
    mediaDevices: {
      getUserMedia,
      enumerateDevices: async () => [
        { kind: 'videoinput', deviceId: 'front', label: 'Передняя камера' },
        { kind: 'audioinput', deviceId: 'sound', label: 'Микрофон' },
        { kind: 'videoinput', deviceId: 'back', label: '' },
      ],
    },
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The camera takes a picture once the page waits for one, and the page reads it. */
async function see(next: CameraImage): Promise<void> {
  await waitForShown(() => expect(waiting.size).toBe(1));
  const [[request, callback] = [0, () => undefined]] = waiting;
  picture = next;
  waiting.delete(request);
  await act(async () => callback());
}

const seeFrame = (index: number, series = SERIES) =>
  see(photographCode(series.frame(index), index));

async function showCamera(props: Partial<Parameters<typeof QrSeriesCamera>[0]> = {}) {
  const onBytes = vi.fn<(bytes: Uint8Array) => void>();
  const onForeign = vi.fn<() => void>();
  const content = (more: typeof props = {}) => (
    <QrSeriesCamera onBytes={onBytes} onForeign={onForeign} {...props} {...more} />
  );
  const page = await render(content());
  const setPaused = (paused: boolean) => page.show(content({ paused }));
  return { ...page, onBytes, onForeign, setPaused };
}

const spoken = () => document.querySelector('output')?.textContent;
const progressOf = (container: HTMLElement) =>
  container.querySelector('[role="progressbar"]')?.getAttribute('aria-valuenow');
const hasBytes = (call: Uint8Array[] | undefined, bytes: Uint8Array) =>
  Buffer.from(call?.[0] ?? []).equals(bytes);

test('a series is read once, with its progress shown and its end spoken', async () => {
  const { container, onBytes } = await showCamera();
  expect(container.textContent).toContain('Наведите камеру');
  await seeFrame(7);
  await waitForShown(() => expect(container.textContent).toContain('Прочитано 33\u00a0%'));
  expect(progressOf(container)).toBe('33');
  expect(spoken()).toBe('');
  for (const index of [0, 0, 1, 2, 9]) if (onBytes.mock.calls.length === 0) await seeFrame(index);
  await waitForShown(() => expect(spoken()).toBe('Прочитано'));
  expect(progressOf(container)).toBe('100');
  expect(onBytes).toHaveBeenCalledOnce();
  expect(hasBytes(onBytes.mock.calls[0], BYTES)).toBe(true);
  expect(waiting.size).toBe(0);
  expect(workers.every(({ isTerminated }) => isTerminated)).toBe(true);
});

test('the next series is read when a pause ends, and nothing before', async () => {
  const short = encodeSeries(new TextEncoder().encode('Первый'));
  const { container, onBytes, setPaused } = await showCamera();
  await seeFrame(0, short);
  await waitForShown(() => expect(onBytes).toHaveBeenCalledOnce());
  await setPaused(true);
  expect(waiting.size).toBe(0);
  expect(container.textContent).toContain('Прочитано');
  await setPaused(false);
  expect(container.textContent).toContain('Наведите камеру');
  for (const index of [0, 1, 2]) await seeFrame(index);
  await waitForShown(() => expect(onBytes).toHaveBeenCalledTimes(2));
  expect(hasBytes(onBytes.mock.calls[1], BYTES)).toBe(true);
  expect(getUserMedia).toHaveBeenCalledOnce();
});

test('another QR code is reported once, in plain words, and the reading continues', async () => {
  const { container, onForeign, onBytes } = await showCamera();
  await see(FOREIGN);
  await see(FOREIGN);
  await waitForShown(() => expect(spoken()).toContain('Это не тот QR-код'));
  expect(onForeign).toHaveBeenCalledOnce();
  for (const index of [0, 1, 2]) await seeFrame(index);
  await waitForShown(() => expect(onBytes).toHaveBeenCalledOnce());
  expect(container.textContent).not.toContain('не тот');
});

test('a damaged code is reported', async () => {
  await showCamera();
  await see(photographCode(SERIES.frame(1).map((byte, at) => (at === 60 ? byte ^ 1 : byte))));
  await waitForShown(() => expect(spoken()).toContain('Код показан с ошибкой'));
});

test('a hint is shown after eight seconds without a new code', async () => {
  const { container } = await showCamera();
  await seeFrame(0);
  await waitForShown(() => expect(container.textContent).toContain('33'));
  vi.useFakeTimers();
  // The time counts from each new code.
  await seeFrame(1);
  await waitForShown(() => expect(container.textContent).toContain('66'));
  await act(async () => vi.advanceTimersByTime(7_900));
  expect(spoken()).toBe('');
  await act(async () => vi.advanceTimersByTime(200));
  expect(spoken()).toContain('Поднесите экран ближе');
});

test.each([
  ['NotFoundError', 'Камера не нашлась'],
  ['NotAllowedError', 'Этому сайту запрещена камера'],
  ['NotReadableError', 'Камера занята другой программой'],
  ['InvalidStateError', 'Камера выключилась'],
])('%s: «%s», and «Повторить» opens the camera', async (name, message) => {
  getUserMedia.mockRejectedValueOnce(new DOMException('no', name));
  const { container, onBytes } = await showCamera();
  await waitForShown(() => expect(spoken()).toContain(message));
  expect(container.querySelector('video')?.hidden).toBe(true);
  await click(container.querySelector('button'));
  for (const index of [0, 1, 2]) await seeFrame(index);
  await waitForShown(() => expect(onBytes).toHaveBeenCalledOnce());
});

test('a page without HTTPS names the reason and offers no repetition', async () => {
  replace(window, { isSecureContext: false });
  replace(navigator, { mediaDevices: undefined });
  const { container } = await showCamera();
  await waitForShown(() => expect(spoken()).toContain('https://'));
  expect(container.querySelector('button')).toBeNull();
});

test('a camera that is unplugged is reported', async () => {
  await showCamera();
  await waitForShown(() => expect(waiting.size).toBe(1));
  await act(async () => tracks[0]?.dispatchEvent(new Event('ended')));
  expect(spoken()).toContain('Камера выключилась');
  expect(waiting.size).toBe(0);
});

test('a reader that does not load is reported, and loaded again by «Повторить»', async () => {
  isWorkerLost = true;
  const { container, onBytes } = await showCamera();
  await seeFrame(0);
  await waitForShown(() => expect(spoken()).toContain('Не загрузилась часть приложения'));
  isWorkerLost = false;
  await click(container.querySelector('button'));
  for (const index of [0, 1, 2]) await seeFrame(index);
  await waitForShown(() => expect(onBytes).toHaveBeenCalledOnce());
});

test('the camera at the back is opened; another one can be chosen', async () => {
  const { container } = await showCamera();
  await waitForShown(() => expect(container.querySelector('select')?.value).toBe('back'));
  expect(getUserMedia.mock.calls[0]?.[0]).toMatchObject({ video: { facingMode: 'environment' } });
  const select = container.querySelector('select') as HTMLSelectElement;
  expect([...select.options].map(({ text }) => text)).toEqual(['Передняя камера', 'Камера 2']);
  await act(async () => {
    select.value = 'front';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await waitForShown(() => expect(select.value).toBe('front'));
  expect(getUserMedia.mock.calls[1]?.[0]).toMatchObject({
    video: { deviceId: { exact: 'front' } },
  });
  expect(tracks.map(({ readyState }) => readyState)).toEqual(['ended', 'live']);
});

test('a hidden page and one that is left release the camera', async () => {
  const { unmount } = await showCamera();
  const setVisibility = (state: DocumentVisibilityState) =>
    act(async () => {
      visibility = state;
      document.dispatchEvent(new Event('visibilitychange'));
    });
  const states = () => tracks.map(({ readyState }) => readyState);
  await waitForShown(() => expect(states()).toEqual(['live']));
  await setVisibility('hidden');
  expect(states()).toEqual(['ended']);
  await setVisibility('visible');
  await waitForShown(() => expect(states()).toEqual(['ended', 'live']));
  await unmount();
  expect(states()).toEqual(['ended', 'ended']);
});

test('a camera that opens after the page was left is closed', async () => {
  let allow: (stream: MediaStream) => void = () => undefined;
  getUserMedia.mockReturnValueOnce(new Promise((resolve) => (allow = resolve)));
  const { unmount } = await showCamera();
  await unmount();
  await act(async () => allow(openTrack('back')));
  expect(tracks.map(({ readyState }) => readyState)).toEqual(['ended']);
});
