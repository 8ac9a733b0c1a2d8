import { expect, test } from 'vitest';
import { createFilePicks, INTERRUPTED, MISSED, PickProblem } from './file-picks.ts';

function defer<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (cause: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Picks with reads that end when the test decides. The outbox stores each file under its own name. */
function setUp() {
  const stored: string[] = [];
  const reads = new Map<string, ReturnType<typeof defer<string>>>();
  let storing: Promise<void> = Promise.resolve();
  const picks = createFilePicks<string>({
    store: async (questionId, file, later) => {
      await storing;
      stored.push(`${questionId} ${file}${later.length > 0 ? ` before ${later.join()}` : ''}`);
      return file;
    },
    explain: (cause) => (cause instanceof Error ? cause.message : 'unknown'),
  });
  const pick = (name: string, replaces = true, questionId = 'q') => {
    const read = defer<string>();
    reads.set(name, read);
    picks.pick({ questionId, name, size: 1, replaces, read: () => read.promise });
  };
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    picks,
    pick,
    stored,
    settle,
    steps: () => picks.list().map(({ name, step }) => `${name} ${step}`),
    idOf: (name: string) => picks.list().find((one) => one.name === name)?.pickId ?? 0,
    readEnds: async (name: string) => {
      reads.get(name)?.resolve(name);
      await settle();
    },
    readFails: async (name: string, message: string) => {
      reads.get(name)?.reject(new PickProblem(message));
      await settle();
    },
    /** The device stores nothing until the returned function is called. */
    holdStoring: () => {
      const held = defer<void>();
      storing = held.promise;
      return async () => {
        held.resolve();
        await settle();
      };
    },
  };
}

test('a pick is listed as being read until the outbox has stored it', async () => {
  const { pick, steps, stored, readEnds, holdStoring } = setUp();
  const release = holdStoring();
  pick('a');
  expect(steps()).toEqual(['a reading']);
  await readEnds('a');
  expect(steps()).toEqual(['a storing']);
  await release();
  expect(steps()).toEqual([]);
  expect(stored).toEqual(['q a']);
});

test.each([
  ['older first', ['a', 'b']],
  ['newer first', ['b', 'a']],
] as const)('the newest pick wins when reads end in any order: %s', async (_order, ends) => {
  const { pick, steps, stored, readEnds } = setUp();
  pick('a');
  pick('b');
  expect(steps()).toEqual(['b reading']);
  for (const name of ends) await readEnds(name);
  expect(stored).toEqual(['q b']);
});

test('a pick made while an older one is being stored is stored after it', async () => {
  const { pick, stored, readEnds, holdStoring } = setUp();
  const release = holdStoring();
  pick('a');
  await readEnds('a');
  pick('b');
  await readEnds('b');
  expect(stored).toEqual([]);
  await release();
  expect(stored).toEqual(['q a', 'q b']);
});

test('a pick replaces only picks of its own question', async () => {
  const { pick, steps, stored, readEnds } = setUp();
  pick('a', true, 'q1');
  pick('b', true, 'q2');
  expect(steps()).toEqual(['a reading', 'b reading']);
  await readEnds('b');
  await readEnds('a');
  expect(stored).toEqual(['q2 b', 'q1 a']);
});

test('added files stay in the order of picking, whatever order the reads end in', async () => {
  const { pick, stored, readEnds } = setUp();
  for (const name of ['a', 'b', 'c']) pick(name, false);
  for (const name of ['c', 'a', 'b']) await readEnds(name);
  expect(stored).toEqual(['q c', 'q a before c', 'q b before c']);
});

test('a cancelled read stores nothing', async () => {
  const { picks, pick, steps, stored, readEnds, idOf } = setUp();
  pick('a');
  picks.cancel(idOf('a'));
  expect(steps()).toEqual([]);
  await readEnds('a');
  expect(stored).toEqual([]);
});

test('a file that is already being stored cannot be cancelled', async () => {
  const { picks, pick, steps, stored, readEnds, idOf, holdStoring } = setUp();
  const release = holdStoring();
  pick('a');
  await readEnds('a');
  picks.cancel(idOf('a'));
  expect(steps()).toEqual(['a storing']);
  await release();
  expect(stored).toEqual(['q a']);
});

test('a read that fails stays listed with its reason until it is dismissed or picked again', async () => {
  const { picks, pick, steps, readFails, readEnds, idOf, stored } = setUp();
  pick('a');
  await readFails('a', 'Файл не читается');
  expect(picks.list()).toMatchObject([{ name: 'a', step: 'failed', problem: 'Файл не читается' }]);
  pick('b');
  expect(steps()).toEqual(['b reading']);
  await readFails('b', 'Файл не читается');
  picks.cancel(idOf('b'));
  expect(steps()).toEqual([]);
  pick('c');
  await readEnds('c');
  expect(stored).toEqual(['q c']);
});

test('a failed read does not stop the files picked after it', async () => {
  const { pick, steps, readFails, readEnds, stored } = setUp();
  pick('a', false);
  pick('b', false);
  await readFails('a', 'Файл не читается');
  await readEnds('b');
  expect(stored).toEqual(['q b']);
  expect(steps()).toEqual(['a failed']);
});

test('the finish reports what is still being read as missed and waits for what is being stored', async () => {
  const { picks, pick, steps, stored, readEnds, settle, holdStoring } = setUp();
  const release = holdStoring();
  pick('a', false);
  pick('b', false);
  await readEnds('a');
  let isClosed = false;
  void picks.close().then(() => {
    isClosed = true;
  });
  await settle();
  expect(isClosed).toBe(false);
  expect(steps()).toEqual(['a storing', 'b missed']);
  await release();
  expect(isClosed).toBe(true);
  await readEnds('b');
  expect(stored).toEqual(['q a']);
  expect(picks.list()).toMatchObject([{ name: 'b', step: 'missed', problem: MISSED }]);
});

test('a pick after the finish is missed at once, and read again after the inputs reopened', async () => {
  const { picks, pick, steps, stored, readEnds } = setUp();
  await picks.close();
  pick('a');
  expect(steps()).toEqual(['a missed']);
  picks.reopen();
  expect(picks.list()).toMatchObject([{ name: 'a', step: 'failed', problem: INTERRUPTED }]);
  pick('b');
  await readEnds('b');
  expect(stored).toEqual(['q b']);
  expect(steps()).toEqual([]);
});

test('a pick that replaces others leaves the one that is being stored in the list', async () => {
  const { pick, steps, readEnds, holdStoring } = setUp();
  holdStoring();
  pick('a');
  await readEnds('a');
  pick('b');
  expect(steps()).toEqual(['a storing', 'b reading']);
});

test('a file picked after the finish is not read', async () => {
  const { picks, pick, steps, stored, readEnds } = setUp();
  await picks.close();
  pick('a');
  picks.reopen();
  await readEnds('a');
  expect(stored).toEqual([]);
  expect(steps()).toEqual(['a failed']);
});

test('reopened inputs leave what failed before as it was', async () => {
  const { picks, pick, readFails } = setUp();
  pick('a');
  await readFails('a', 'Файл не читается');
  await picks.close();
  picks.reopen();
  expect(picks.list()).toMatchObject([{ step: 'failed', problem: 'Файл не читается' }]);
});

test('a read that fails after the finish says no more than that it was missed', async () => {
  const { picks, pick, readFails } = setUp();
  pick('a');
  await picks.close();
  await readFails('a', 'Файл не читается');
  expect(picks.list()).toMatchObject([{ step: 'missed', problem: MISSED }]);
});

test('a file that the outbox refuses stays listed with the reason', async () => {
  const picks = createFilePicks<string>({
    store: () => Promise.reject(new PickProblem('Нет места')),
    explain: (cause) => (cause instanceof Error ? cause.message : 'unknown'),
  });
  picks.pick({ questionId: 'q', name: 'a', size: 1, replaces: true, read: async () => 'a' });
  await new Promise((resolve) => setTimeout(resolve));
  expect(picks.list()).toMatchObject([{ step: 'failed', problem: 'Нет места' }]);
});

test('the page is notified of each change until it unsubscribes', () => {
  const { picks, pick } = setUp();
  let changes = 0;
  const stop = picks.subscribe(() => {
    changes += 1;
  });
  pick('a');
  expect(changes).toBe(1);
  picks.reopen();
  expect(changes).toBe(1);
  stop();
  pick('b');
  expect(changes).toBe(1);
});
