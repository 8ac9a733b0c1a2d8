import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { DraftStore } from '#app/storage/draft-store.ts';
import type { DraftEditor } from './draft.ts';
import { createDraftEngine, type DraftEngine } from './engine.ts';
import type { DraftServer } from './exchange.ts';
import { idsOf } from './same.ts';
import { fakeDevice, fakeDraftServer, idOf, list, question, type DraftFault } from './testing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

let made = 100;
const timers = {
  set: (run: () => void, ms: number): unknown => setTimeout(run, ms),
  clear: (timer: unknown) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

async function openEngine(server: DraftServer, store: DraftStore) {
  const engine = createDraftEngine({
    testId: idOf(99),
    server,
    store,
    now: () => Date.now(),
    timers,
    newId: () => idOf((made += 1)),
    random: () => 0.5,
  });
  await engine.load();
  return engine;
}

function shown(engine: DraftEngine): DraftEditor {
  const draft = engine.view();
  if (!draft) throw new Error('not loaded');
  return draft;
}

const texts = (questions: readonly Question[]) => questions.map(({ text }) => text);

function type(engine: DraftEngine, number: number, text: string): void {
  shown(engine).change(
    'Правка',
    (questions) =>
      questions.map((each) => (each.questionId === idOf(number) ? { ...each, text } : each)),
    { coalesce: `text/${number}` },
  );
}

/** A server and a device with a queue of faults. */
function createScene(questions = list(1, 2, 3)) {
  const server = fakeDraftServer(questions);
  const device = fakeDevice();
  const faults: DraftFault[] = [];
  const next = () => faults.shift() ?? 'none';
  return {
    ...server,
    device,
    faults,
    open: (tab: string) => openEngine(server.client(tab, next), device.store(tab)),
  };
}

const settle = (ms = 60_000) => vi.advanceTimersByTimeAsync(ms);

describe('autosave', () => {
  test('sends once after a pause in typing, and reports the state', async () => {
    const { state, open } = createScene();
    const engine = await open('a');
    expect(shown(engine).state.kind).toBe('server');
    for (const text of ['п', 'пр', 'при']) {
      type(engine, 1, text);
      await settle(300);
    }
    expect(state.saves).toBe(0);
    expect(shown(engine).state.kind).toBe('sending');
    await settle(1_000);
    expect(state.saves).toBe(1);
    expect(texts(state.questions)[0]).toBe('при');
    expect(shown(engine).state.kind).toBe('server');
  });

  test('sends at least every five seconds while typing goes on', async () => {
    const { state, open } = createScene();
    const engine = await open('a');
    for (let stroke = 0; stroke < 24; stroke += 1) {
      type(engine, 1, `текст ${stroke}`);
      await settle(500);
    }
    expect(state.saves).toBeGreaterThanOrEqual(2);
    expect(state.saves).toBeLessThanOrEqual(4);
  });

  test('stores typed text on the device within half a second', async () => {
    const { device, open } = createScene();
    const engine = await open('a');
    type(engine, 1, 'слова');
    await settle(500);
    expect(texts(device.rows.get('a')?.draft.mine ?? [])[0]).toBe('слова');
    await settle();
    expect(device.rows.size).toBe(0);
  });

  test('stores non-typing edits at once', async () => {
    const { device, open } = createScene();
    const engine = await open('a');
    shown(engine).change('Удаление вопроса', (questions) => questions.slice(1));
    const left = shown(engine).questions.length;
    await settle(0);
    expect(device.rows.get('a')?.draft.mine).toHaveLength(left);
  });

  test('retries automatically when the server is reachable, and meanwhile reports the edits as on the device', async () => {
    const { state, faults, open } = createScene();
    const engine = await open('a');
    faults.push('requestLost', 'requestLost');
    type(engine, 1, 'слова');
    await settle(1_100);
    expect(shown(engine).state).toMatchObject({ kind: 'device', isOffline: true });
    await settle();
    expect(texts(state.questions)[0]).toBe('слова');
    expect(shown(engine).state.kind).toBe('server');
  });

  test('retries at once when the network is back', async () => {
    const { state, faults, open } = createScene();
    const engine = await open('a');
    faults.push('requestLost');
    type(engine, 1, 'слова');
    await settle(1_100);
    engine.wake();
    await settle(1);
    expect(texts(state.questions)[0]).toBe('слова');
  });

  test('a lost reply makes no conflict with one’s own edits, whatever was typed since', async () => {
    const { state, faults, open } = createScene();
    const engine = await open('a');
    faults.push('replyLost');
    type(engine, 1, 'сло');
    await settle(1_050);
    type(engine, 1, 'слова');
    await settle();
    expect(shown(engine).conflicts).toEqual([]);
    expect(shown(engine).arrived).toBeNull();
    expect(texts(state.questions)[0]).toBe('слова');
  });

  test('a refusal shows the server’s message, and the next change retries', async () => {
    const { state, open } = createScene();
    const engine = await open('a');
    state.refuse = new ApiFailure({
      kind: 'refused',
      method: 'PUT',
      url: '/',
      status: 400,
      code: 'VALIDATION',
      message: 'Проверьте поля',
      details: { fields: [{ field: 'questions', message: 'Не больше 300 вопросов в тесте' }] },
    });
    type(engine, 1, 'слова');
    await settle();
    expect(shown(engine).state).toEqual({
      kind: 'refused',
      message: 'Не больше 300 вопросов в тесте',
    });
    expect(state.saves).toBe(1);
    state.refuse = null;
    type(engine, 1, 'другие слова');
    await settle();
    expect(texts(state.questions)[0]).toBe('другие слова');
  });

  test('a deleted test is reported, and edits stay on the device', async () => {
    const { state, device, open } = createScene();
    const engine = await open('a');
    state.refuse = new ApiFailure({ kind: 'refused', method: 'PUT', url: '/', status: 404 });
    type(engine, 1, 'слова');
    await settle();
    expect(shown(engine).state.kind).toBe('gone');
    expect(texts(device.rows.get('a')?.draft.mine ?? [])[0]).toBe('слова');
    expect(state.saves).toBe(1);
  });

  test('without storage the edits are reported as only in memory, and leaving is at risk', async () => {
    const { client } = createScene();
    const network = { isThere: true };
    const store: DraftStore = {
      durable: false,
      write: () => Promise.reject(new Error('closed')),
      clear: async () => undefined,
      adopt: async () => undefined,
      close: async () => undefined,
    };
    const engine = await openEngine(
      client('a', () => (network.isThere ? 'none' : 'requestLost')),
      store,
    );
    network.isThere = false;
    type(engine, 1, 'слова');
    await settle(1_100);
    expect(shown(engine).state.kind).toBe('memory');
    expect(engine.isAtRisk()).toBe(true);
  });
});

describe('two editors', () => {
  test('of different questions get both edits and a notice of what arrived', async () => {
    const { state, open } = createScene();
    const [one, other] = [await open('a'), await open('b')];
    type(one, 1, 'первого');
    type(other, 2, 'второго');
    await settle();
    await one.look();
    expect(texts(state.questions)).toEqual(['первого', 'второго', 'Вопрос 3']);
    expect(texts(shown(one).questions)).toEqual(texts(state.questions));
    expect(shown(one).arrived).toEqual({ by: 'b', questionIds: [idOf(2)] });
    shown(one).dismissArrived();
    expect(shown(one).arrived).toBeNull();
  });

  async function clash() {
    const all = createScene();
    const [one, other] = [await all.open('a'), await all.open('b')];
    type(one, 1, 'первого');
    await settle();
    type(other, 1, 'второго');
    type(other, 3, 'ещё');
    await settle();
    return { ...all, one, other };
  }

  test('of the same question get a conflict with both texts; the rest is sent', async () => {
    const { state, other, device } = await clash();
    expect(shown(other).conflicts).toMatchObject([
      { questionId: idOf(1), mine: { text: 'второго' }, theirs: { text: 'первого' }, by: 'a' },
    ]);
    expect(texts(shown(other).questions)[0]).toBe('второго');
    expect(texts(state.questions)).toEqual(['первого', 'Вопрос 2', 'ещё']);
    expect(device.rows.has('b')).toBe(true);
  });

  test.each([
    ['mine', ['второго', 'Вопрос 2', 'ещё']],
    ['theirs', ['первого', 'Вопрос 2', 'ещё']],
    ['both', ['первого', 'второго', 'Вопрос 2', 'ещё']],
  ] as const)('decide for %s', async (choice, result) => {
    const { state, other, device } = await clash();
    shown(other).resolve(idOf(1), choice);
    await settle();
    expect(shown(other).conflicts).toEqual([]);
    expect(texts(state.questions)).toEqual(result);
    expect(texts(shown(other).questions)).toEqual(result);
    expect(device.rows.has('b')).toBe(false);
  });

  test('also get a conflict about a deleted question, and restore or drop it', async () => {
    const { state, open } = createScene();
    const [one, other] = [await open('a'), await open('b')];
    shown(one).change('Удаление', (questions) => questions.slice(1));
    await settle();
    type(other, 1, 'второго');
    await settle();
    expect(shown(other).conflicts).toMatchObject([{ mine: { text: 'второго' }, theirs: null }]);
    expect(texts(state.questions)).toEqual(['Вопрос 2', 'Вопрос 3']);
    shown(other).resolve(idOf(1), 'mine');
    await settle();
    expect(texts(state.questions)).toEqual(['второго', 'Вопрос 2', 'Вопрос 3']);
  });

  test('a conflict survives a killed tab', async () => {
    const { device, open } = await clash();
    device.kill('b');
    const next = await open('c');
    expect(shown(next).conflicts).toMatchObject([
      { mine: { text: 'второго' }, theirs: { text: 'первого' } },
    ]);
  });
});

describe('a killed tab', () => {
  test('preserves edits older than half a second, and the next tab sends them', async () => {
    const { state, device, open } = createScene();
    const engine = await open('a');
    type(engine, 1, 'слова');
    await settle(400);
    device.kill('a');
    const next = await open('b');
    expect(texts(shown(next).questions)[0]).toBe('слова');
    expect(shown(next).notice).toBe('Восстановлены правки, которые не успели уйти на сервер');
    await settle();
    expect(texts(state.questions)[0]).toBe('слова');
    expect(device.rows.size).toBe(0);
  });

  test('with edits made after a save has no conflict with that save', async () => {
    const { state, device, faults, open } = createScene();
    const engine = await open('a');
    faults.push('replyLost');
    type(engine, 1, 'сло');
    await settle(1_050);
    type(engine, 1, 'слова');
    await settle(300);
    device.kill('a');
    const next = await open('b');
    expect(shown(next).conflicts).toEqual([]);
    await settle();
    expect(texts(state.questions)[0]).toBe('слова');
  });

  test('is restored offline too', async () => {
    const { state, device, faults, open } = createScene();
    const engine = await open('a');
    type(engine, 1, 'слова');
    await settle(400);
    device.kill('a');
    faults.push('requestLost');
    const next = await open('b');
    expect(texts(shown(next).questions)[0]).toBe('слова');
    expect(shown(next).state).toMatchObject({ kind: 'device', isOffline: true });
    await settle();
    expect(texts(state.questions)[0]).toBe('слова');
  });

  test('without unsent edits shows no notice', async () => {
    const { device, open } = createScene();
    const engine = await open('a');
    type(engine, 1, 'слова');
    await settle();
    device.kill('a');
    expect(shown(await open('b')).notice).toBeNull();
  });
});

test('a row of which the server has everything is restored without a notice', async () => {
  const { device, open, state } = createScene();
  const engine = await open('a');
  type(engine, 1, 'слова');
  await settle(400);
  device.kill('a');
  state.questions = [question(1, 'слова'), ...list(2, 3)];
  state.draftVersion += 1;
  const next = await open('b');
  expect(shown(next).notice).toBeNull();
  expect(texts(shown(next).questions)[0]).toBe('слова');
  await settle();
  expect(device.rows.size).toBe(0);
});

describe('undo', () => {
  test('is sent to the server too, and spares foreign changes', async () => {
    const { state, open } = createScene();
    const [one, other] = [await open('a'), await open('b')];
    type(one, 1, 'первого');
    await settle();
    type(other, 2, 'второго');
    await settle();
    await one.look();
    shown(one).undo();
    await settle();
    expect(texts(state.questions)).toEqual(['Вопрос 1', 'второго', 'Вопрос 3']);
    shown(one).redo();
    await settle();
    expect(texts(state.questions)[0]).toBe('первого');
    await other.look();
    type(other, 1, 'поверх');
    await settle();
    await one.look();
    shown(one).undo();
    expect(shown(one).notice).toContain('Правка');
    expect(texts(shown(one).questions)[0]).toBe('поверх');
  });
});

describe('publishing', () => {
  test('sends first, and retries on a version conflict', async () => {
    const { state, open } = createScene();
    state.lifecycle = 'active';
    const [one, other] = [await open('a'), await open('b')];
    type(other, 2, 'второго');
    await settle();
    type(one, 1, 'первого');
    expect(shown(one).hasUnpublished).toBe(true);
    await shown(one).publish();
    expect(texts(state.published)).toEqual(['первого', 'второго', 'Вопрос 3']);
    expect(shown(one).hasUnpublished).toBe(false);
  });

  test('discarding shows the published version, and undo restores the edits', async () => {
    const { state, open } = createScene();
    state.lifecycle = 'active';
    const engine = await open('a');
    type(engine, 1, 'слова');
    await shown(engine).discard();
    expect(texts(shown(engine).questions)[0]).toBe('Вопрос 1');
    expect(shown(engine).undoLabel).toBe('Возврат к опубликованному');
    shown(engine).undo();
    await settle();
    expect(texts(state.questions)[0]).toBe('слова');
  });
});

const refusal = (status: number, code?: string) =>
  new ApiFailure({ kind: 'refused', method: 'PUT', url: '/', status, ...(code && { code }) });

/** An engine with recorded calls of device and server, which can be made to fail. */
async function watched(questions = list(1, 2, 3)) {
  const server = fakeDraftServer(questions);
  const client = server.client('a');
  const calls: (keyof DraftServer)[] = [];
  const failures = new Map<keyof DraftServer, ApiFailure[]>();
  const through =
    <A extends unknown[], R>(name: keyof DraftServer, work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls.push(name);
      const failure = failures.get(name)?.shift();
      if (failure !== undefined) throw failure;
      return work(...args);
    };
  const device = fakeDevice();
  const real = device.store('a');
  const store = {
    ...real,
    write: vi.fn(real.write),
    clear: vi.fn(real.clear),
    adopt: vi.fn(real.adopt),
    close: vi.fn(real.close),
  };
  const engine = await openEngine(
    {
      get: through('get', client.get),
      version: through('version', client.version),
      save: through('save', client.save),
      publish: through('publish', client.publish),
      discard: through('discard', client.discard),
    },
    store,
  );
  calls.length = 0;
  return { ...server, engine, store, device, calls, failures };
}

describe('the exchange', () => {
  test('a save that may have been stored reads first', async () => {
    const { engine, calls, failures } = await watched();
    failures.set('save', [refusal(500)]);
    type(engine, 1, 'слова');
    await settle();
    expect(calls).toEqual(['save', 'get', 'save']);
  });

  test('a busy server has stored nothing: the save is sent again without reading', async () => {
    const { engine, calls, failures } = await watched();
    failures.set('save', [refusal(503), refusal(503)]);
    type(engine, 1, 'слова');
    await settle(1_000);
    expect(calls).toEqual(['save']);
    // At most 2 s after the first failure, 4 s after the second, with the random number in the middle.
    await settle(1_499);
    expect(calls).toEqual(['save']);
    await settle(1);
    expect(calls).toEqual(['save', 'save']);
    await settle(2_999);
    expect(calls).toHaveLength(2);
    await settle(1);
    expect(calls).toEqual(['save', 'save', 'save']);
    expect(shown(engine).state.kind).toBe('server');
    failures.set('save', [refusal(503)]);
    type(engine, 1, 'другие');
    await settle(2_500);
    expect(calls, 'a success ends the pauses').toHaveLength(5);
  });

  test('typing does not shorten a pause after a failure', async () => {
    const { engine, calls, failures } = await watched();
    failures.set('save', [refusal(503), refusal(503)]);
    type(engine, 1, 'слова');
    await settle(2_500);
    expect(calls).toHaveLength(2);
    type(engine, 1, 'слова и');
    await settle(2_000);
    expect(calls).toHaveLength(2);
    await settle(1_000);
    expect(calls).toHaveLength(3);
  });

  test('six version conflicts in a row end the tries, and a pause follows', async () => {
    const { engine, calls, failures } = await watched();
    failures.set(
      'save',
      Array.from({ length: 6 }, () => refusal(409, 'STALE_VERSION')),
    );
    type(engine, 1, 'слова');
    await settle(1_000);
    expect(calls.filter((call) => call === 'save')).toHaveLength(6);
    expect(calls.filter((call) => call === 'get')).toHaveLength(5);
    expect(shown(engine).state.kind).toBe('device');
    await settle();
    expect(shown(engine).state.kind).toBe('server');
  });

  test('a refusal is neither repeated nor forgotten until something changes', async () => {
    const { engine, calls, failures } = await watched();
    failures.set('save', [refusal(400, 'VALIDATION')]);
    type(engine, 1, 'слова');
    await settle();
    expect(calls).toEqual(['save']);
    expect(shown(engine).state.kind).toBe('refused');
    type(engine, 1, 'другие');
    expect(shown(engine).state.kind).toBe('sending');
    await settle();
    expect(shown(engine).state.kind).toBe('server');
  });

  test('a change during a failure that is tried again does not hide it', async () => {
    const { engine, failures } = await watched();
    failures.set('save', [refusal(503)]);
    type(engine, 1, 'слова');
    await settle(1_300);
    type(engine, 1, 'другие');
    expect(shown(engine).state).toMatchObject({ kind: 'device', isOffline: false });
  });

  test('edits made during a save are sent after it', async () => {
    const { state, client } = createScene();
    let release = () => undefined as void;
    const real = client('a');
    let isFirst = true;
    const engine = await openEngine(
      {
        ...real,
        save: async (body) => {
          if (isFirst) await new Promise<void>((resolve) => (release = resolve));
          isFirst = false;
          return real.save(body);
        },
      },
      fakeDevice().store('a'),
    );
    type(engine, 1, 'слова');
    await settle(1_000);
    type(engine, 2, 'ещё');
    await settle(2_000);
    expect(state.saves).toBe(0);
    release();
    await settle();
    expect(state.saves).toBe(2);
    expect(texts(state.questions)).toEqual(['слова', 'ещё', 'Вопрос 3']);
  });

  test('nothing is sent after a close, not even by a pending retry', async () => {
    const { engine, calls, failures, state } = await watched();
    failures.set('save', [refusal(503)]);
    type(engine, 1, 'слова');
    await settle(1_000);
    await engine.close();
    engine.wake();
    type(engine, 1, 'слова ещё');
    await settle();
    await engine.flush();
    await engine.look();
    expect(calls).toEqual(['save']);
    expect(texts(state.questions)[0]).toBe('Вопрос 1');
  });

  test('a deleted test is no longer requested', async () => {
    const { engine, calls, failures } = await watched();
    failures.set('version', [refusal(404)]);
    await engine.look();
    expect(shown(engine).state.kind).toBe('gone');
    await engine.look();
    type(engine, 1, 'слова');
    await settle();
    expect(calls).toEqual(['version']);
  });

  test('a check that fails otherwise changes nothing', async () => {
    const { engine, failures, calls } = await watched();
    failures.set('version', [refusal(500)]);
    await engine.look();
    expect(shown(engine).state.kind).toBe('server');
    await engine.look();
    expect(calls, 'the next check asks again').toEqual(['version', 'version']);
  });

  test('a check requests only the version and reads only newer content', async () => {
    const { engine, calls, set } = await watched();
    await engine.look();
    expect(calls).toEqual(['version']);
    set([question(1, 'их'), ...list(2, 3)], 'b');
    await engine.look();
    expect(calls).toEqual(['version', 'version', 'get']);
    expect(texts(shown(engine).questions)[0]).toBe('их');
  });

  test('while a retry waits a check asks nothing', async () => {
    const { engine, calls, failures } = await watched();
    failures.set('save', [refusal(503)]);
    type(engine, 1, 'слова');
    await settle(1_000);
    await engine.look();
    expect(calls).toEqual(['save']);
  });

  test('publishing or archiving elsewhere is shown after a check', async () => {
    const { engine, calls, state, set } = await watched();
    const seen = vi.fn();
    engine.subscribe(seen);
    await engine.look();
    expect(seen).not.toHaveBeenCalled();
    state.lifecycle = 'active';
    await engine.look();
    expect(shown(engine).lifecycle).toBe('active');
    expect(seen).toHaveBeenCalled();
    set([question(1, 'их'), ...list(2, 3)], 'b');
    await engine.look();
    expect(shown(engine).hasUnpublished).toBe(true);
    state.published = state.questions;
    await engine.look();
    expect(shown(engine).hasUnpublished).toBe(false);
    expect(calls.filter((call) => call === 'get')).toHaveLength(1);
  });

  test('a stored edit of a published test waits to be published, that of a draft does not', async () => {
    const { engine, state } = await watched();
    type(engine, 1, 'слова');
    await settle();
    expect(shown(engine).hasUnpublished).toBe(false);
    state.lifecycle = 'active';
    state.published = state.questions;
    await engine.look();
    expect(shown(engine).hasUnpublished).toBe(false);
    type(engine, 1, 'другие');
    await settle();
    expect(shown(engine).hasUnpublished).toBe(true);
  });

  test('the network’s return sends nothing where nothing waits', async () => {
    const { engine, calls } = await watched();
    engine.wake();
    await settle();
    expect(calls).toEqual([]);
  });

  test('of what was deleted elsewhere nothing arrives', async () => {
    const { engine, set } = await watched();
    set(list(2, 3), 'b');
    await engine.look();
    expect(shown(engine).arrived).toBeNull();
    expect(texts(shown(engine).questions)).toEqual(['Вопрос 2', 'Вопрос 3']);
  });

  test('publishing gives up after six conflicts and at once at a refusal', async () => {
    const { engine, calls, failures } = await watched();
    failures.set(
      'publish',
      Array.from({ length: 6 }, () => refusal(409, 'STALE_VERSION')),
    );
    await expect(shown(engine).publish()).rejects.toMatchObject({ status: 409 });
    expect(calls.filter((call) => call === 'publish')).toHaveLength(6);
    expect(calls.filter((call) => call === 'get')).toHaveLength(5);
    calls.length = 0;
    await engine.flush();
    failures.set('publish', [refusal(422, 'INVALID_QUESTIONS')]);
    await expect(shown(engine).publish()).rejects.toMatchObject({ status: 422 });
    expect(calls.filter((call) => call === 'publish')).toHaveLength(1);
  });

  test('publishing has succeeded even if reading back fails, which is tried again', async () => {
    const { engine, calls, failures, state } = await watched();
    state.lifecycle = 'active';
    await engine.look();
    type(engine, 1, 'слова');
    await engine.flush();
    expect(shown(engine).hasUnpublished).toBe(true);
    failures.set('get', [refusal(500)]);
    calls.length = 0;
    await shown(engine).publish();
    expect(shown(engine).hasUnpublished).toBe(false);
    expect(calls).toEqual(['publish', 'get']);
    await settle(0);
    expect(calls).toEqual(['publish', 'get', 'get']);
  });
});

describe('the engine', () => {
  test('a row that cannot be opened is reported once, until it is dismissed', async () => {
    const device = fakeDevice();
    const real = device.store('a');
    const adopt: DraftStore['adopt'] = async (_take, onUnreadable) => onUnreadable?.();
    const engine = await openEngine(fakeDraftServer(list(1)).client('a'), { ...real, adopt });
    expect(shown(engine).notice).toContain('открыть не удалось');
    shown(engine).dismissNotice();
    expect(shown(engine).notice).toBeNull();
    await engine.look();
    expect(shown(engine).notice).toBeNull();
  });

  test('a view stays the same object until something changes', async () => {
    const { engine } = await watched();
    const before = shown(engine);
    expect(shown(engine)).toBe(before);
    const seen = vi.fn();
    const unsubscribe = engine.subscribe(seen);
    type(engine, 1, 'слова');
    expect(shown(engine)).not.toBe(before);
    expect(seen).toHaveBeenCalled();
    unsubscribe();
    seen.mockClear();
    type(engine, 1, 'другие');
    expect(seen).not.toHaveBeenCalled();
  });

  test('a page that hides stores what is typed, and nothing else', async () => {
    const { engine, store } = await watched();
    await engine.hide();
    expect(store.write).not.toHaveBeenCalled();
    type(engine, 1, 'слова');
    await engine.hide();
    expect(store.write).toHaveBeenCalledTimes(1);
  });

  test('typing is stored after a moment, another edit at once', async () => {
    const { engine, store } = await watched();
    type(engine, 1, 'слова');
    await settle(0);
    expect(store.write).not.toHaveBeenCalled();
    shown(engine).change('Удаление', (questions) => questions.slice(1));
    await settle(0);
    expect(store.write).toHaveBeenCalledTimes(1);
  });

  test('an edit without an effect sends nothing', async () => {
    const { engine, calls } = await watched();
    shown(engine).change('Ничего', (questions) => questions);
    await settle();
    expect(calls).toEqual([]);
    expect(shown(engine).undoLabel).toBeNull();
  });

  test('undo and redo name the last step', async () => {
    const { engine } = await watched();
    shown(engine).change('Первый', (questions) => questions.slice(1));
    shown(engine).change('Второй', (questions) => questions.slice(1));
    shown(engine).change('Третий', (questions) => questions.slice(1));
    expect(shown(engine).undoLabel).toBe('Третий');
    for (let step = 0; step < 3; step += 1) shown(engine).undo();
    expect(shown(engine).undoLabel).toBeNull();
    expect(shown(engine).redoLabel).toBe('Первый');
  });

  test('edits are unsent until the server has them, and sending them deletes the row', async () => {
    const { engine, device } = await watched();
    expect(engine.hasUnsent()).toBe(false);
    type(engine, 1, 'слова');
    await settle(300);
    expect(engine.hasUnsent()).toBe(true);
    expect(device.rows.size).toBe(1);
    await engine.settle();
    expect(engine.hasUnsent()).toBe(false);
    expect(device.rows.size).toBe(0);
  });

  test('only edits in memory are at risk, those of a deleted test are not', async () => {
    const { engine, store, failures } = await watched();
    expect(engine.isAtRisk()).toBe(false);
    store.write.mockRejectedValue(new Error('full'));
    type(engine, 1, 'слова');
    await settle(300);
    expect(engine.isAtRisk()).toBe(true);
    failures.set('save', [refusal(404)]);
    await settle();
    expect(shown(engine).state.kind).toBe('gone');
    expect(engine.isAtRisk()).toBe(false);
  });

  test('nothing is at risk on a device that stores nothing, until something is typed', async () => {
    const { client } = fakeDraftServer(list(1));
    const engine = await openEngine(client('a'), { ...fakeDevice().store('a'), durable: false });
    expect(engine.isAtRisk()).toBe(false);
    type(engine, 1, 'слова');
    expect(engine.isAtRisk()).toBe(true);
  });

  test('a close stores what is typed and releases the row', async () => {
    const { engine, store, device } = await watched();
    type(engine, 1, 'слова');
    await engine.close();
    expect(texts(device.rows.get('a')?.draft.mine ?? [])[0]).toBe('слова');
    expect(store.close).toHaveBeenCalledTimes(1);
  });

  test('giving edits up deletes the row, and nothing is sent any more', async () => {
    const { engine, store, device, calls } = await watched();
    type(engine, 1, 'слова');
    await settle(300);
    await engine.abandon();
    expect(device.rows.size).toBe(0);
    expect(store.close).toHaveBeenCalledTimes(1);
    expect(engine.view()).toBeNull();
    expect(engine.hasUnsent()).toBe(false);
    await settle();
    expect(calls).toEqual([]);
    expect(store.write).toHaveBeenCalledTimes(1);
  });

  test('without server and row there is nothing to show', async () => {
    const client = fakeDraftServer(list(1)).client('a', () => 'requestLost');
    await expect(openEngine(client, fakeDevice().store('a'))).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });
});

/** A seeded generator of numbers from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'no edit is lost between two devices under faults, kills and reloads, seed %i',
  async (seed) => {
    const random = seeded(seed * 7_919 + 1);
    const pick = (count: number) => Math.floor(random() * count);
    const server = fakeDraftServer(list(1, 2, 3));
    const calm = { isCalm: false };
    const fault = async (): Promise<DraftFault> => {
      await new Promise((resolve) => setTimeout(resolve, pick(400)));
      if (calm.isCalm) return 'none';
      return (
        (['none', 'none', 'none', 'requestLost', 'replyLost', 'busy'] as const)[pick(6)] ?? 'none'
      );
    };
    const sides = ['a', 'b'].map((name) => ({ name, device: fakeDevice(), tab: 0, isUp: false }));
    const engines = new Map<string, DraftEngine>();
    const open = async (side: (typeof sides)[number]) => {
      side.tab += 1;
      const tab = `${side.name}${side.tab}`;
      const client = server.client(side.name, fault);
      const engine = createDraftEngine({
        testId: idOf(99),
        server: client,
        store: side.device.store(tab),
        now: () => Date.now(),
        timers,
        newId: () => idOf((made += 1)),
        random,
      });
      const loading = engine.load().then(
        () => true,
        () => false,
      );
      await settle(5_000);
      side.isUp = await loading;
      if (side.isUp) engines.set(side.name, engine);
      else side.device.kill(tab);
    };
    /** Texts that were never overwritten: each must survive to the end. */
    const typed = new Set<string>();
    let words = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const side = sides[pick(2)];
      if (!side) break;
      if (!side.isUp) {
        await open(side);
        continue;
      }
      const engine = engines.get(side.name);
      const draft = engine?.view();
      if (!engine || !draft) continue;
      const act = pick(10);
      if (act < 6) {
        const target = draft.questions[pick(draft.questions.length)];
        if (!target) continue;
        typed.delete(target.text);
        words += 1;
        const text = `слово ${words}`;
        typed.add(text);
        draft.change('Правка', (questions) =>
          questions.map((each) =>
            each.questionId === target.questionId ? { ...each, text } : each,
          ),
        );
        // A killed tab may lose half a second of edits; this test kills no sooner.
        await settle(500);
      } else if (act === 6) {
        words += 1;
        const text = `слово ${words}`;
        const added = question((made += 1), text);
        typed.add(text);
        draft.change('Новый вопрос', (questions) => [...questions, added]);
        await settle(500);
      } else if (act === 7) {
        draft.change('Порядок', (questions) => [...questions].reverse());
        await settle(500);
      } else if (act === 8) {
        engines.delete(side.name);
        side.isUp = false;
        side.device.kill(`${side.name}${side.tab}`);
      } else {
        await Promise.all([engine.look(), settle(5_000)]);
      }
      await settle(pick(1_500));
    }
    calm.isCalm = true;
    for (const side of sides) if (!side.isUp) await open(side);
    for (let round = 0; round < 4; round += 1) {
      for (const engine of engines.values()) {
        engine.wake();
        await settle(40_000);
        await Promise.all([engine.look(), settle(5_000)]);
      }
    }
    const drafts = [...engines.values()].map(shown);
    const found = new Set([
      ...texts(server.state.questions),
      ...drafts.flatMap(({ questions }) => texts(questions)),
      ...drafts.flatMap(({ conflicts }) =>
        conflicts.flatMap(({ mine, theirs }) => [mine?.text ?? '', theirs?.text ?? '']),
      ),
    ]);
    for (const text of typed) expect(found).toContain(text);
    for (const draft of drafts) {
      if (draft.conflicts.length > 0) continue;
      expect(draft.state.kind).toBe('server');
      expect(idsOf(draft.questions)).toEqual(idsOf(server.state.questions));
      expect(texts(draft.questions)).toEqual(texts(server.state.questions));
    }
  },
);
