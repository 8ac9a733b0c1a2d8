import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import { ANNA, BORIS, FakeServer, open, QUESTIONS, type FakeCall } from './fake-server.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { Storage } from '#app/storage/storage.ts';
import { device, drain, newWorld, running, signIn, turns, type TestDevice } from './test-device.ts';

/** Which calls one pass makes, in parallel and after failures. */

type Running = TestDevice & { attemptId: string };

const isText = (call: FakeCall, text: string): boolean =>
  call.answer?.kind === 'open' && call.answer.text === text;

/** Advances to the next planned time, once for each call. */
async function nextPass(made: TestDevice): Promise<void> {
  const { nextInMs } = await made.outbox.flush();
  made.world.now += (nextInMs ?? 0) + 1;
}

const picture = (byte: number) => ({
  name: 'a.png',
  mimeType: 'image/png',
  bytes: new Uint8Array([byte]),
});

describe('row 36: a reading call checks whether the server works at all', () => {
  const failing = async (code: ErrorCode = 'INTERNAL'): Promise<Running> => {
    const made = await running();
    made.server.fault = (call) => (isText(call, 'яд') ? code : null);
    await made.outbox.answer(made.attemptId, open('яд'));
    return made;
  };

  test('only after the second failure of an answer that its finish waits for', async () => {
    const made = await failing();
    await made.outbox.finish(made.attemptId, 'student');
    await nextPass(made);
    expect(made.server.count('savedAnswers')).toBe(0);
    await nextPass(made);
    expect(made.server.count('savedAnswers')).toBe(1);
    expect(made.server.calls.findLast(({ name }) => name === 'savedAnswers')?.token).toBe(
      `token-${ANNA}`,
    );
  });

  test('not for an answer that nothing waits for', async () => {
    const made = await failing();
    for (let pass = 0; pass < 4; pass += 1) await nextPass(made);
    expect(made.server.count('answer')).toBe(4);
    expect(made.server.count('savedAnswers')).toBe(0);
  });

  test('not for an older answer while only another question has newer ones', async () => {
    const made = await failing();
    made.server.fault = (call) => (call.name === 'answer' ? 'INTERNAL' : null);
    await made.outbox.flush();
    await made.outbox.answer(made.attemptId, open('другой', 1));
    for (let pass = 0; pass < 4; pass += 1) await nextPass(made);
    expect(made.server.count('savedAnswers')).toBe(0);
  });

  test('for an older answer that a newer one of its question waits for', async () => {
    const made = await failing();
    await nextPass(made);
    await made.outbox.answer(made.attemptId, open('новый'));
    await nextPass(made);
    expect(made.server.count('savedAnswers')).toBe(1);
  });

  test('not in a pass in which another answer was acknowledged', async () => {
    const made = await failing();
    await nextPass(made);
    await made.outbox.answer(made.attemptId, open('новый'));
    await made.outbox.answer(made.attemptId, open('да', 1));
    await made.outbox.flush();
    expect(made.server.text(1)).toBe('да');
    expect(made.server.count('savedAnswers')).toBe(0);
  });

  test('not while everything is paused', async () => {
    const made = await failing();
    await made.outbox.finish(made.attemptId, 'student');
    await nextPass(made);
    made.server.fault = (call) => (isText(call, 'яд') ? 'UNAUTHORIZED' : null);
    expect((await made.outbox.flush()).pause).toBe('signIn');
    expect(made.server.count('savedAnswers')).toBe(0);
  });

  test('not again for an answer that is poisoned already', async () => {
    const made = await failing();
    await made.outbox.finish(made.attemptId, 'student');
    await drain(made, 60);
    expect(made.server.finished).not.toBeNull();
    const requests = made.server.count('savedAnswers');
    made.world.now += 120_001;
    await made.outbox.flush();
    expect(made.server.count('savedAnswers')).toBe(requests);
  });
});

describe('calls beside one another', () => {
  /** Every call waits until `release`, which continues the calls that wait at that time. */
  function held(server: FakeServer) {
    let waiting: { name: FakeCall['name']; go: () => void }[] = [];
    server.fault = async ({ name }) => {
      if (name === 'probe' || name === 'start') return null;
      await new Promise<void>((go) => waiting.push({ name, go }));
      return null;
    };
    return {
      names: async () => {
        await turns();
        return waiting.map(({ name }) => name).toSorted();
      },
      release: async (): Promise<void> => {
        const now = waiting;
        waiting = [];
        for (const { go } of now) go();
        await turns();
      },
    };
  }

  const filled = async (concurrency: number): Promise<Running> => {
    const made = await running({ concurrency });
    await made.outbox.addFile(made.attemptId, QUESTIONS[3], picture(1));
    for (const question of [0, 1, 2])
      await made.outbox.answer(made.attemptId, open('да', question));
    await made.outbox.finish(made.attemptId, 'student');
    return made;
  };

  test('as many answers as there are lanes, and one part of a file beside them; the finish alone', async () => {
    const made = await filled(2);
    const gate = held(made.server);
    const pass = made.outbox.flush();
    expect(await gate.names()).toEqual(['answer', 'answer', 'uploadChunk']);
    await gate.release();
    expect(await gate.names()).toEqual(['answer', 'answer']);
    await gate.release();
    expect(await gate.names()).toEqual(['finish']);
    await gate.release();
    expect(await pass).toMatchObject({ acknowledged: 5, waiting: 0, failed: 0 });
  });

  test('with one lane one call at a time, files included', async () => {
    const made = await filled(1);
    const gate = held(made.server);
    const pass = made.outbox.flush();
    for (let call = 0; call < 6; call += 1) {
      expect(await gate.names()).toHaveLength(1);
      await gate.release();
    }
    expect(await pass).toMatchObject({ acknowledged: 5, waiting: 0 });
  });

  test('files one after the other, however many lanes are free', async () => {
    const server = new FakeServer(newWorld());
    const made = await running({ server, concurrency: 4 });
    await made.outbox.addFile(made.attemptId, QUESTIONS[3], picture(1));
    await made.outbox.addFile(made.attemptId, QUESTIONS[2], picture(2));
    const gate = held(server);
    const pass = made.outbox.flush();
    expect(await gate.names()).toEqual(['uploadChunk']);
    await gate.release();
    expect(await gate.names()).toEqual(['answer', 'uploadChunk']);
    await gate.release();
    await gate.release();
    expect(await pass).toMatchObject({ acknowledged: 2, waiting: 0 });
  });
});

describe('a pause', () => {
  const paused = async (code: ErrorCode): Promise<Running> => {
    const made = await running();
    made.server.fault = (call) => (call.name === 'answer' ? code : null);
    await made.outbox.answer(made.attemptId, open('да'));
    await made.outbox.flush();
    made.server.fault = () => null;
    return made;
  };
  const why = async (made: Running, force = false) => (await made.outbox.flush({ force })).pause;

  test('by a lost sign-in lasts until another one, even forced', async () => {
    const made = await paused('UNAUTHORIZED');
    made.world.now += 600_000;
    expect(await why(made, true)).toBe('signIn');
    expect(made.server.text()).toBeNull();
    await signIn(made.storage, ANNA, 'another');
    expect(await why(made)).toBeNull();
    expect(made.server.text()).toBe('да');
  });

  test.each<[string, number, 'blocked' | null]>([
    ['a moment before two minutes', 119_999, 'blocked'],
    ['after two minutes', 120_000, null],
  ])('by a block, %s', async (_when, ms, expected) => {
    const made = await paused('ACCOUNT_BLOCKED');
    made.world.now += ms;
    expect(await why(made)).toBe(expected);
  });

  test('by a block ends at once when the user asks, or with another sign-in', async () => {
    const requests = await paused('ACCOUNT_BLOCKED');
    expect(await why(requests)).toBe('blocked');
    expect(await why(requests, true)).toBeNull();
    const again = await paused('ACCOUNT_BLOCKED');
    await signIn(again.storage, ANNA, 'another');
    expect(await why(again)).toBeNull();
  });

  test('by a version that is too old does not end with another sign-in, nor with time', async () => {
    const made = await paused('OLD_CLIENT');
    await signIn(made.storage, ANNA, 'another');
    made.world.now += 600_000;
    expect(await why(made)).toBe('update');
    expect(await why(made, true)).toBeNull();
  });
});

test.each([
  ['UNAUTHORIZED', 'session'],
  ['loseRequest', 'session'],
  ['UNAUTHORIZED', 'files'],
  ['loseRequest', 'files'],
] as const)(
  'nothing more is sent after %s, even if it comes while the pass reads its %s',
  async (fault, slow) => {
    const inner = createMemoryStorage({ durable: true });
    const server = new FakeServer(newWorld());
    /** From its claim until everything has followed its reply. */
    let sending: Promise<void> | null = null;
    let hasEnded = () => {};
    const storage: Storage = {
      ...inner,
      write: (stores, run) => {
        if (stores.join() === 'operations')
          sending ??= new Promise((resolve) => (hasEnded = resolve));
        return inner.write(stores, run);
      },
      read: async (stores, run) => {
        const value = await inner.read(stores, run);
        if (stores.join() === slow) await sending;
        return value;
      },
    };
    const made = await running({ storage, server });
    const answer = (question: number) => made.outbox.answer(made.attemptId, open('да', question));
    for (const question of [0, 1]) await answer(question);
    server.fault = async ({ name }) => {
      if (name !== 'answer') return null;
      // The pass reads again what waits.
      await answer(2);
      void made.outbox.flush();
      if (slow === 'files') await turns();
      void turns().then(hasEnded);
      return fault;
    };
    await made.outbox.flush();
    expect(made.server.count('answer')).toBe(1);
  },
);

test('without a sign-in nothing is sent, and a pause is still named', async () => {
  const made = await device({ user: null });
  expect(await made.outbox.flush()).toEqual({
    ran: false,
    acknowledged: 0,
    failed: 0,
    setAside: 0,
    waiting: 0,
    pause: null,
    nextInMs: null,
  });
  expect(made.server.calls).toEqual([]);
});

test('another person who signs in during a call ends the pass', async () => {
  const made = await running();
  for (const question of [0, 1, 2]) await made.outbox.answer(made.attemptId, open('да', question));
  made.server.fault = async (call) => {
    if (call.name === 'answer') await signIn(made.storage, BORIS);
    return null;
  };
  await made.outbox.flush();
  expect(made.server.count('answer')).toBe(1);
});

test('the first reply is requested once, and only when something waits', async () => {
  const made = await running();
  await made.outbox.flush();
  expect(made.server.count('probe')).toBe(0);
  await made.outbox.answer(made.attemptId, open('да'));
  made.server.fault = (call) => (call.name === 'probe' ? 'loseRequest' : null);
  await made.outbox.flush();
  await made.outbox.answer(made.attemptId, open('ещё'));
  await made.outbox.flush();
  expect(made.server.count('probe')).toBe(1);
  expect(made.server.text()).toBe('ещё');
});

test('a requested file that always fails is abandoned once other calls succeed', async () => {
  const made = await running();
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], picture(1));
  await drain(made);
  made.server.uploads.clear();
  await made.outbox.finish(made.attemptId, 'student');
  const sent = made.server.count('uploadChunk');
  made.server.fault = (call) => (call.name === 'uploadChunk' ? 'INTERNAL' : null);
  await drain(made, 12);
  // A single failure may be the server's.
  expect(made.server.finished).toBeNull();
  expect(made.server.count('uploadChunk') - sent).toBeGreaterThan(5);
  for (let round = 0; round < 20 && !made.server.finished; round += 1) {
    await made.outbox.report();
    await nextPass(made);
  }
  expect(made.server.finished).not.toBeNull();
  expect(made.server.calls.at(-1)?.headers[HEADER.filesSetAside]).toMatch(/^[0-9a-f-]{36}$/);
});
