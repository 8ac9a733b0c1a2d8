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
    const way = { isThere: true };
    const store: DraftStore = {
      durable: false,
      write: () => Promise.reject(new Error('closed')),
      clear: async () => undefined,
      adopt: async () => undefined,
      close: async () => undefined,
    };
    const engine = await openEngine(
      client('a', () => (way.isThere ? 'none' : 'requestLost')),
      store,
    );
    way.isThere = false;
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
