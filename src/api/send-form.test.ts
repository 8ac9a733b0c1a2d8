import { expect, test, vi } from 'vitest';
import { createProject } from '#contract/projects.ts';
import { ApiFailure } from './failure.ts';
import { createFormSender, type FormSenderConfig } from './send-form.ts';

const ID = '0197f0a0-0000-7000-8000-000000000001';
const input = {
  body: {
    Name: 'Теплица',
    ShortDescription: 'Кратко',
    Description: 'Подробно',
    LandingURL: 'https://project.example/',
  },
  files: { LogoPhoto: new File([new Uint8Array(10)], 'логотип.png') },
};

/** A fake XMLHttpRequest driven by the test. */
class FakeRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  withCredentials = false;
  status = 0;
  responseText = '';
  opened: unknown[] = [];
  sent: FormData | null = null;
  open(...args: unknown[]): void {
    this.opened = args;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getAllResponseHeaders(): string {
    return 'x-server-time: 2026-05-21T07:00:00.000Z\r\nx-server-epoch: 3\r\nretry-after: 60\r\n';
  }
  send(form: FormData): void {
    this.sent = form;
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'));
  }
  progress(loaded: number, total: number): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }));
  }
  answer(status: number, body: unknown): void {
    this.status = status;
    this.responseText = typeof body === 'string' ? body : JSON.stringify(body);
    this.dispatchEvent(new Event('load'));
  }
}

/** Runs the last timer that was set and not cleared. */
function fakeTimers() {
  const set = new Map<number, { run: () => void; ms: number }>();
  let ids = 0;
  return {
    left: () => [...set.values()].map(({ ms }) => ms),
    run: () => [...set.values()].forEach(({ run }) => run()),
    timers: {
      set: (run: () => void, ms: number): unknown => {
        ids += 1;
        set.set(ids, { run, ms });
        return ids;
      },
      clear: (id: unknown): void => void set.delete(id as number),
    },
  };
}

function sending(config: Partial<FormSenderConfig> = {}, signal?: AbortSignal) {
  const request = new FakeRequest();
  const clock = fakeTimers();
  const onProgress = vi.fn();
  const send = createFormSender({
    baseUrl: 'https://school.example',
    appVersion: '1',
    token: () => 'secret',
    timers: clock.timers,
    request: () => request as unknown as XMLHttpRequest,
    ...config,
  });
  const reply = send(createProject, input, { onProgress, ...(signal ? { signal } : {}) });
  return { request, clock, onProgress, reply };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('expected a failure');
    },
    (error: unknown) => {
      if (!(error instanceof ApiFailure)) throw error;
      return error;
    },
  );

test('a form is sent with bearer, version and cookies; progress is reported and the reply parsed', async () => {
  const { request, onProgress, reply, clock } = sending();
  await vi.waitFor(() => expect(request.sent).not.toBeNull());
  expect(request.opened).toEqual(['POST', 'https://school.example/api/ProjectCard']);
  expect(request.headers).toMatchObject({ authorization: 'Bearer secret', 'x-app-version': '1' });
  expect(request.headers['content-type']).toBeUndefined();
  expect(request.withCredentials).toBe(true);
  expect(request.sent?.get('Name')).toBe('Теплица');
  expect(request.sent?.get('LogoPhoto')).toMatchObject({ name: 'логотип.png', size: 10 });
  request.progress(4, 10);
  expect(onProgress).toHaveBeenCalledWith({ sent: 4, total: 10 });
  request.answer(200, JSON.stringify(ID));
  expect(await reply).toBe(ID);
  expect(clock.left()).toEqual([]);
});

test('only silence is a time-out: progress restarts the timer', async () => {
  const { request, clock, reply } = sending();
  await vi.waitFor(() => expect(request.sent).not.toBeNull());
  expect(clock.left()).toEqual([15_000]);
  request.progress(4, 10);
  expect(clock.left()).toEqual([15_000]);
  request.upload.dispatchEvent(new Event('load'));
  expect(clock.left()).toEqual([120_000]);
  clock.run();
  const failure = await failureOf(reply);
  expect([failure.kind, failure.timedOut]).toEqual(['unreachable', true]);
});

test('a refusal of our server has its code and fields, and failure listeners are notified', async () => {
  const onFailure = vi.fn();
  const { request, reply } = sending({ onFailure });
  await vi.waitFor(() => expect(request.sent).not.toBeNull());
  const details = { fields: [{ field: 'LogoPhoto', message: 'Файл больше 2 МБ' }] };
  request.answer(413, { code: 'TOO_LARGE', message: 'Велик', details, requestId: ID });
  const failure = await failureOf(reply);
  expect(failure).toMatchObject({ kind: 'refused', status: 413, code: 'TOO_LARGE', details });
  expect(failure.retryAfterMs).toBe(60_000);
  expect(onFailure).toHaveBeenCalledWith(failure, createProject);
});

test('a foreign page and a lost connection are distinguished; an abort closes the connection', async () => {
  const page = sending();
  await vi.waitFor(() => expect(page.request.sent).not.toBeNull());
  page.request.answer(200, '<html>Вход в сеть</html>');
  expect((await failureOf(page.reply)).kind).toBe('notOurs');

  const broken = sending();
  await vi.waitFor(() => expect(broken.request.sent).not.toBeNull());
  broken.request.dispatchEvent(new Event('error'));
  expect(await failureOf(broken.reply)).toMatchObject({ kind: 'unreachable', timedOut: false });

  const abort = new AbortController();
  const stopped = sending({}, abort.signal);
  await vi.waitFor(() => expect(stopped.request.sent).not.toBeNull());
  abort.abort();
  expect((await failureOf(stopped.reply)).kind).toBe('unreachable');
});
