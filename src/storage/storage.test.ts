import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { laterFactory } from './later-factory.ts';
import { createMemoryStorage } from './memory.ts';
import { openAnyStorage, openStorage } from './open.ts';
import type { FileBytesRow, LeaseRow } from './rows.ts';
import { clearMirror, mirrorSession, readMirror } from './session-mirror.ts';
import { StorageFailure, type Storage } from './storage.ts';

const lease = (name: string, holder = 'a'): LeaseRow => ({ name, holder, expiresAt: 1 });

const part = (fileId: string, index: number): FileBytesRow => ({
  fileId,
  part: index,
  bytes: new Uint8Array([index]).buffer,
});

const implementations: [string, () => Promise<Storage>][] = [
  ['IndexedDB', () => openStorage(new IDBFactory())],
  ['memory', async () => createMemoryStorage()],
];

describe.each(implementations)('storage in %s', (_name, make) => {
  test('stores a row, replaces it by key, and deletes it', async () => {
    const storage = await make();
    await storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
    await storage.write(['leases'], (tx) => tx.put('leases', lease('x', 'b')));
    expect(await storage.read(['leases'], (tx) => tx.get('leases', 'x'))).toEqual(lease('x', 'b'));
    await storage.write(['leases'], (tx) => tx.delete('leases', 'x'));
    expect(await storage.read(['leases'], (tx) => tx.get('leases', 'x'))).toBeNull();
  });

  test('a transaction that throws leaves nothing behind', async () => {
    const storage = await make();
    const broken = storage.write(['leases'], async (tx) => {
      await tx.put('leases', lease('x'));
      throw new Error('stop');
    });
    await expect(broken).rejects.toThrow('stop');
    expect(await storage.read(['leases'], (tx) => tx.all('leases'))).toEqual([]);
  });

  test('lists by index in key order', async () => {
    const storage = await make();
    await storage.write(['fileBytes'], async (tx) => {
      for (const index of [10, 2, 0]) await tx.put('fileBytes', part('f', index));
      await tx.put('fileBytes', part('g', 0));
    });
    const rows = await storage.read(['fileBytes'], (tx) => tx.all('fileBytes', 'file', 'f'));
    expect(rows.map((row) => row.part)).toEqual([0, 2, 10]);
    expect(new Uint8Array(rows[1]?.bytes ?? new ArrayBuffer(0))).toEqual(new Uint8Array([2]));
  });

  test('parallel read-modify-write transactions never lose an update', async () => {
    const storage = await make();
    await storage.write(['leases'], (tx) => tx.put('leases', lease('n')));
    const rise = () =>
      storage.write(['leases'], async (tx) => {
        const row = (await tx.get('leases', 'n')) ?? lease('n');
        await tx.put('leases', { ...row, expiresAt: row.expiresAt + 1 });
      });
    await Promise.all(Array.from({ length: 20 }, rise));
    expect((await storage.read(['leases'], (tx) => tx.get('leases', 'n')))?.expiresAt).toBe(21);
  });

  test('what is put is a copy', async () => {
    const storage = await make();
    const row = lease('x');
    await storage.write(['leases'], (tx) => tx.put('leases', row));
    row.holder = 'changed';
    expect((await storage.read(['leases'], (tx) => tx.get('leases', 'x')))?.holder).toBe('a');
  });

  test('mirrors a session and erases it', async () => {
    const storage = await make();
    const userId = '0197f0a0-0000-7000-8000-000000000001';
    const user = { userId, userName: 'Лена', email: 'l@demo.ru', role: 0 as const, isAdmin: false };
    await mirrorSession(storage, { token: 't', expiresAt: '2027-01-01T00:00:00.000Z', user });
    expect((await readMirror(storage))?.owner).toBe(userId);
    await clearMirror(storage);
    expect(await readMirror(storage)).toBeNull();
  });
});

/** Writes a raw row, bypassing validation. */
async function putRaw(factory: IDBFactory, store: string, value: unknown): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = factory.open('exam-room');
    request.addEventListener('success', () => {
      const tx = request.result.transaction(store, 'readwrite');
      tx.objectStore(store).put(value);
      tx.addEventListener('complete', () => {
        request.result.close();
        resolve();
      });
      tx.addEventListener('abort', () => reject(tx.error ?? new Error('aborted')));
    });
  });
}

test('a row that does not parse is moved to broken with its original content, and the rest is read', async () => {
  const factory = new IDBFactory();
  const events: string[] = [];
  const storage = await openStorage(factory, { log: (event) => events.push(event.kind) });
  await storage.write(['leases'], (tx) => tx.put('leases', lease('good')));
  await putRaw(factory, 'leases', { name: 'bad', holder: 5, expiresAt: 'soon' });
  const rows = await storage.read(['leases'], (tx) => tx.all('leases'));
  expect(rows.map((row) => row.name)).toEqual(['good']);
  const broken = await storage.read(['broken'], (tx) => tx.all('broken'));
  expect(broken[0]?.original).toEqual({ name: 'bad', holder: 5, expiresAt: 'soon' });
  expect(broken[0]?.issue, 'says which field').toMatch(/^holder: ./);
  expect(events).toEqual(['brokenRow']);
});

test('all broken rows found by one read are moved', async () => {
  const factory = new IDBFactory();
  const storage = await openStorage(factory);
  for (const name of ['bad', 'worse']) await putRaw(factory, 'leases', { name });
  expect(await storage.read(['leases'], (tx) => tx.all('leases'))).toEqual([]);
  const broken = await storage.read(['broken'], (tx) => tx.all('broken'));
  expect(broken.map(({ original }) => original)).toEqual([{ name: 'bad' }, { name: 'worse' }]);
});

test('a missing row is not a broken one', async () => {
  const storage = await openStorage(new IDBFactory());
  await storage.write(['leases'], (tx) => tx.get('leases', 'none'));
  expect(await storage.read(['leases'], (tx) => tx.get('leases', 'none'))).toBeNull();
  expect(await storage.read(['broken'], (tx) => tx.all('broken'))).toEqual([]);
});

test('row 32: a broken row that this version can read is restored at opening', async () => {
  const factory = new IDBFactory();
  (await openStorage(factory)).close();
  const original = lease('back');
  await putRaw(factory, 'broken', {
    id: 'leases:"back"',
    store: 'leases',
    original,
    issue: 'old',
  });
  const storage = await openStorage(factory);
  expect(await storage.read(['leases'], (tx) => tx.get('leases', 'back'))).toEqual(original);
  expect(await storage.read(['broken'], (tx) => tx.all('broken'))).toEqual([]);
});

test('row 32: fields of a newer app survive a rewrite by this one', async () => {
  const factory = new IDBFactory();
  const storage = await openStorage(factory);
  await putRaw(factory, 'leases', { ...lease('x'), colour: 'blue' });
  await storage.write(['leases'], async (tx) => {
    const row = await tx.get('leases', 'x');
    if (row) await tx.put('leases', { ...row, holder: 'b' });
  });
  const row = await storage.read(['leases'], (tx) => tx.get('leases', 'x'));
  expect(row).toEqual({ ...lease('x', 'b'), colour: 'blue' });
});

test('row 32: a database with fewer stores retains its rows and gets the new stores', async () => {
  const factory = new IDBFactory();
  await new Promise<void>((resolve) => {
    const request = factory.open('exam-room', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('leases', { keyPath: 'name' }).put(lease('x'));
    });
    request.addEventListener('success', () => {
      request.result.close();
      resolve();
    });
  });
  const storage = await openStorage(laterFactory(factory));
  expect(await storage.read(['leases'], (tx) => tx.all('leases'))).toEqual([lease('x')]);
  expect(await storage.read(['encrypted', 'deviceKeys'], (tx) => tx.all('encrypted'))).toEqual([]);
});

test('row 32: an index made by an older app stays unchanged', async () => {
  const factory = new IDBFactory();
  await new Promise<void>((resolve) => {
    const request = factory.open('exam-room', 1);
    request.addEventListener('upgradeneeded', () => {
      const files = request.result.createObjectStore('files', { keyPath: 'fileId' });
      files.createIndex('attempt', 'attemptId');
    });
    request.addEventListener('success', () => {
      request.result.close();
      resolve();
    });
  });
  const storage = await openStorage(laterFactory(factory));
  const ofAttempt = storage.read(['files'], (tx) => tx.all('files', 'attempt', 'a1'));
  expect(await ofAttempt).toEqual([]);
});

test('a key read from the database is not extractable', async () => {
  const storage = await openStorage(new IDBFactory());
  const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, [
    'encrypt',
  ]);
  await storage.write(['deviceKeys'], (tx) =>
    tx.put('deviceKeys', { owner: 'o', key, signIn: 's' }),
  );
  const row = await storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', 'o'));
  expect(row?.key.extractable).toBe(false);
  expect(JSON.stringify(row)).not.toMatch(/AAAA|0,0/);
});

test('row 12: a closed connection is discarded and opened again within the same call', async () => {
  const factory = new IDBFactory();
  const opened: IDBDatabase[] = [];
  const open = factory.open.bind(factory);
  factory.open = (name: string, version?: number) => {
    const request = open(name, version);
    request.addEventListener('success', () => opened.push(request.result));
    return request;
  };
  const storage = await openStorage(factory);
  opened[0]?.close();
  await storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
  expect(await storage.read(['leases'], (tx) => tx.get('leases', 'x'))).toEqual(lease('x'));
  expect(opened).toHaveLength(2);
});

test.each([
  new DOMException('Internal error', 'UnknownError'),
  new DOMException('The database connection is closing.', 'AbortError'),
  new Error('Connection to Indexed Database server lost. Refresh the page to try again'),
  new Error('Database is closed'),
  new Error('Database closed'),
])(
  'row 12: «$message» is a lost connection: the call is repeated over another one',
  async (error) => {
    const storage = await openStorage(new IDBFactory());
    let tries = 0;
    await storage.write(['leases'], async (tx) => {
      tries += 1;
      if (tries === 1) throw error;
      await tx.put('leases', lease('x'));
    });
    expect(await storage.read(['leases'], (tx) => tx.all('leases'))).toEqual([lease('x')]);
  },
);

test('a connection that is lost twice fails as lost; any other failure is tried once', async () => {
  const storage = await openStorage(new IDBFactory());
  let tries = 0;
  const failing = (name: string) =>
    storage.write(['leases'], () => {
      tries += 1;
      throw new DOMException('broke', name);
    });
  await expect(failing('UnknownError')).rejects.toMatchObject({ kind: 'lost' });
  expect(tries).toBe(2);
  await expect(failing('DataError')).rejects.toMatchObject({ kind: 'failed' });
  expect(tries).toBe(3);
});

test('a closed storage opens no connection', async () => {
  const factory = new IDBFactory();
  const storage = await openStorage(factory);
  storage.close();
  const open = vi.spyOn(factory, 'open');
  const reading = storage.read(['leases'], (tx) => tx.all('leases'));
  await expect(reading).rejects.toMatchObject({ kind: 'lost' });
  expect(open).not.toHaveBeenCalled();
});

test('row 7: a newer page may upgrade the database under an open one, which continues', async () => {
  const factory = new IDBFactory();
  const storage = await openStorage(factory);
  const upgraded = new Promise<string>((resolve) => {
    const request = factory.open('exam-room', 3);
    request.addEventListener('success', () => {
      request.result.close();
      resolve('upgraded');
    });
  });
  expect(await upgraded).toBe('upgraded');
  await storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
  expect(await storage.read(['leases'], (tx) => tx.all('leases'))).toEqual([lease('x')]);
});

test('a database that opens after its time-out does not block an upgrade', async () => {
  const factory = new IDBFactory();
  const isOpen = (request: IDBOpenDBRequest) =>
    new Promise<IDBDatabase>((resolve) => {
      request.addEventListener('success', () => resolve(request.result));
    });
  // A page of an older app that never closes its connection.
  const older = await isOpen(factory.open('exam-room', 1));
  await expect(openStorage(laterFactory(factory), { openTimeoutMs: 20 })).rejects.toMatchObject({
    kind: 'unopenable',
  });
  older.close();
  const newer = await isOpen(factory.open('exam-room', 9));
  expect(newer.version).toBe(9);
});

test('row 9: a full device is distinguished from other failures', async () => {
  const factory = new IDBFactory();
  const storage = await openStorage(factory);
  const full = storage.write(['leases'], async () => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  await expect(full).rejects.toMatchObject({ kind: 'quota' });
});

test('row 13: a database that cannot be opened gives memory storage that is not durable', async () => {
  const factory = new IDBFactory();
  factory.open = () => {
    throw new DOMException('damaged', 'UnknownError');
  };
  await expect(openStorage(factory)).rejects.toBeInstanceOf(StorageFailure);
  const issues: unknown[] = [];
  await openAnyStorage(factory, { log: ({ issue }) => issues.push(issue) });
  expect(issues, 'the log says why').toContain('StorageFailure: Storage failed: lost');
  expect((await openAnyStorage(factory)).durable).toBe(false);
  expect((await openAnyStorage(undefined)).durable).toBe(false);
  expect((await openAnyStorage(new IDBFactory())).durable).toBe(true);
});

/** Reports each transaction that a connection of this factory begins. */
function watchTransactions(
  factory: IDBFactory,
  onBegin: (transaction: IDBTransaction, options: IDBTransactionOptions | undefined) => void,
): void {
  const open = factory.open.bind(factory);
  factory.open = (name: string, version?: number) => {
    const request = open(name, version);
    request.addEventListener('success', () => {
      const db = request.result;
      const transaction = db.transaction.bind(db);
      db.transaction = (stores, mode, options) => {
        const begun = transaction(stores, mode, options);
        onBegin(begun, options);
        return begun;
      };
    });
    return request;
  };
}

test('every write requests strict durability; a read writes nothing and does not wait for the disk', async () => {
  const factory = new IDBFactory();
  const begun: unknown[] = [];
  watchTransactions(factory, ({ mode }, options) => begun.push([mode, options?.durability]));
  const storage = await openStorage(factory);
  await storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
  await storage.read(['leases'], (tx) => tx.all('leases'));
  expect(begun).toEqual([
    ['readwrite', 'strict'],
    ['readwrite', 'strict'],
    ['readonly', 'default'],
  ]);
});

test('a write resolves only when its transaction is complete', async () => {
  const factory = new IDBFactory();
  const transactions: { isComplete: boolean }[] = [];
  watchTransactions(factory, (transaction) => {
    const begun = { isComplete: false };
    transactions.push(begun);
    transaction.addEventListener('complete', () => {
      begun.isComplete = true;
    });
  });
  const storage = await openStorage(factory);
  await storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
  expect(transactions.length).toBeGreaterThan(1);
  expect(transactions.every(({ isComplete }) => isComplete)).toBe(true);
});

test('a write with a failed commit is rejected although all its requests succeeded', async () => {
  const factory = new IDBFactory();
  let last: IDBTransaction | undefined;
  watchTransactions(factory, (transaction) => {
    last = transaction;
  });
  const storage = await openStorage(factory);
  const writing = storage.write(['leases'], async (tx) => {
    await tx.put('leases', lease('x'));
    last?.abort();
  });
  await expect(writing).rejects.toMatchObject({ kind: 'failed' });
  expect(await storage.read(['leases'], (tx) => tx.all('leases'))).toEqual([]);
});

describe('a page that is hidden', () => {
  /** A page that the test hides and shows, and the number of open connections. */
  function hideablePage() {
    const hide: ((mayReturn: boolean) => void)[] = [];
    const show: (() => void)[] = [];
    const collect =
      <F>(into: F[]) =>
      (run: F) => {
        into.push(run);
        return () => void into.splice(into.indexOf(run), 1);
      };
    return {
      page: { onHide: collect(hide), onShow: collect(show) },
      hide: (mayReturn = true) => hide.forEach((run) => run(mayReturn)),
      show: () => show.forEach((run) => run()),
      listeners: () => hide.length + show.length,
    };
  }

  test('closes its connection at once, begins nothing, and continues when it is shown', async () => {
    const factory = new IDBFactory();
    const closed: IDBDatabase[] = [];
    const open = factory.open.bind(factory);
    factory.open = (name: string, version?: number) => {
      const request = open(name, version);
      request.addEventListener('success', () => {
        const { result } = request;
        const close = result.close.bind(result);
        result.close = () => {
          closed.push(result);
          close();
        };
      });
      return request;
    };
    const { page, hide, show, listeners } = hideablePage();
    const storage = await openStorage(factory, { page });
    hide();
    expect(closed, 'closed before the listener returns').toHaveLength(1);
    let isWritten = false;
    const writing = storage
      .write(['leases'], (tx) => tx.put('leases', lease('x')))
      .then(() => (isWritten = true));
    // Another page of the origin, which works all the time.
    const other = await openStorage(factory);
    await other.write(['leases'], (tx) => tx.put('leases', lease('other')));
    expect(isWritten).toBe(false);
    show();
    await writing;
    const rows = await storage.read(['leases'], (tx) => tx.all('leases'));
    expect(rows.map(({ name }) => name)).toEqual(['other', 'x']);
    storage.close();
    expect(listeners()).toBe(0);
  });

  /** A write that has read once and would continue; counts its runs. */
  async function halfWritten(mayReturn: boolean) {
    const factory = new IDBFactory();
    const { page, hide, show } = hideablePage();
    const storage = await openStorage(factory, { page });
    let begun = 0;
    const order: string[] = [];
    const writing = storage
      .write(['leases'], async (tx) => {
        begun += 1;
        await tx.get('leases', 'x');
        if (begun === 1) hide(mayReturn);
        await tx.put('leases', lease('x'));
      })
      .then(() => order.push('mine'));
    await vi.waitFor(() => expect(begun).toBe(1));
    const other = await openStorage(factory);
    await other.write(['leases'], (tx) => tx.put('leases', lease('other')));
    order.push('other');
    show();
    await writing;
    const rows = await storage.read(['leases'], (tx) => tx.all('leases'));
    return { begun, order, rows: rows.map(({ name }) => name) };
  }

  test('aborts uncommitted transactions, which would block every other page, and runs them again when it is shown', async () => {
    expect(await halfWritten(true)).toEqual({
      begun: 2,
      order: ['other', 'mine'],
      rows: ['other', 'x'],
    });
  });

  test('repeats a write with a pending last request', async () => {
    const { page, hide, show } = hideablePage();
    const storage = await openStorage(new IDBFactory(), { page });
    let begun = 0;
    const writing = storage.write(['leases'], async (tx) => {
      begun += 1;
      const putting = tx.put('leases', lease('x'));
      if (begun === 1) hide();
      await putting;
    });
    await vi.waitFor(() => expect(begun).toBe(1));
    show();
    await writing;
    expect(await storage.read(['leases'], (tx) => tx.all('leases'))).toEqual([lease('x')]);
  });

  test('creates its database when it is shown, even if hidden during the upgrade', async () => {
    const factory = new IDBFactory();
    const { page, hide, show } = hideablePage();
    const open = factory.open.bind(factory);
    let upgrades = 0;
    factory.open = (name: string, version?: number) => {
      const request = open(name, version);
      request.addEventListener('upgradeneeded', () => {
        upgrades += 1;
        if (upgrades > 1) return;
        // After the app's own listener, which is registered later than this one.
        queueMicrotask(() => {
          hide();
          show();
        });
      });
      return request;
    };
    const storage = await openStorage(factory, { page });
    expect(await storage.read(['leases'], (tx) => tx.all('leases'))).toEqual([]);
    expect(upgrades).toBe(2);
  });

  test('lets pending transactions end when it is unloaded', async () => {
    expect(await halfWritten(false)).toEqual({
      begun: 1,
      order: ['mine', 'other'],
      rows: ['other', 'x'],
    });
  });

  test('has called commit on every transaction once its last request is made', async () => {
    const factory = new IDBFactory();
    const open = factory.open.bind(factory);
    let begun = 0;
    let committed = 0;
    factory.open = (name: string, version?: number) => {
      const request = open(name, version);
      request.addEventListener('success', () => {
        const { result } = request;
        const begin = result.transaction.bind(result);
        result.transaction = (...args) => {
          const transaction = begin(...args);
          begun += 1;
          const commit = transaction.commit.bind(transaction);
          transaction.commit = () => {
            committed += 1;
            commit();
          };
          return transaction;
        };
      });
      return request;
    };
    const storage = await openStorage(factory);
    await storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
    await storage.read(['leases'], (tx) => tx.all('leases'));
    expect(begun).toBeGreaterThan(2);
    expect(committed).toBe(begun);
  });
});

test('a database that answers no transaction times out, is reported once, and is tried again only later', async () => {
  const factory = new IDBFactory();
  const events: string[] = [];
  const log = (event: { kind: string }) => events.push(event.kind);
  const storage = await openStorage(factory, { log, transactionTimeoutMs: 30 });
  // A frozen page of the origin: its transaction is alive and never ends.
  const frozen = await openStorage(factory);
  let thaw = () => undefined as void;
  let isFrozen = true;
  const held = new Promise<void>((resolve) => {
    thaw = () => {
      isFrozen = false;
      resolve();
    };
  });
  const freezing = frozen.write(['leases'], async (tx) => {
    while (isFrozen) await tx.get('leases', 'none');
  });
  const put = () => storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
  await expect(put()).rejects.toMatchObject({ kind: 'silent' });
  await expect(put()).rejects.toMatchObject({ kind: 'silent' });
  expect(events, 'the second was not even begun').toEqual(['silent']);
  thaw();
  await Promise.all([held, freezing]);
  const after = await openStorage(factory);
  expect(await after.read(['leases'], (tx) => tx.all('leases')), 'given up is not written').toEqual(
    [],
  );
});

describe('a fake clock', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const fakeClock = () =>
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });

  /** Waits without advancing that clock, which `vi.waitUntil` would do. */
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** A write of another page that does not end until it is released. */
  async function frozenWrite(factory: IDBFactory) {
    const other = await openStorage(factory);
    let isFrozen = true;
    let isBegun = false;
    const writing = other.write(['leases'], async (tx) => {
      isBegun = true;
      while (isFrozen) await tx.get('leases', 'none');
    });
    await until(() => isBegun);
    return () => {
      isFrozen = false;
      return writing;
    };
  }

  test('no timer outlives an open and a call', async () => {
    fakeClock();
    const storage = await openStorage(new IDBFactory());
    await storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a read does not wait for a write of other rows', async () => {
    const factory = new IDBFactory();
    const storage = await openStorage(factory);
    const thaw = await frozenWrite(factory);
    expect(await storage.read(['device'], (tx) => tx.all('device'))).toEqual([]);
    await thaw();
  });

  test('after a database was silent nothing is tried for 30 seconds', async () => {
    const factory = new IDBFactory();
    const storage = await openStorage(factory, { transactionTimeoutMs: 1_000 });
    const thaw = await frozenWrite(factory);
    fakeClock();
    const put = () => storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
    const hanging = put();
    await until(() => vi.getTimerCount() === 1);
    vi.advanceTimersByTime(1_000);
    await expect(hanging).rejects.toMatchObject({ kind: 'silent' });
    await thaw();
    vi.advanceTimersByTime(29_999);
    await expect(put()).rejects.toMatchObject({ kind: 'silent' });
    vi.advanceTimersByTime(1);
    await put();
  });

  test('a late success shows that the database is not silent', async () => {
    const factory = new IDBFactory();
    const storage = await openStorage(factory, { transactionTimeoutMs: 1_000 });
    const thaw = await frozenWrite(factory);
    fakeClock();
    const hanging = storage.write(['leases'], (tx) => tx.put('leases', lease('x')));
    await until(() => vi.getTimerCount() === 1);
    vi.advanceTimersByTime(500);
    let isOver = false;
    const reading = storage.read(['device'], async (tx) => {
      while (!isOver) await tx.all('device');
    });
    await until(() => vi.getTimerCount() === 2);
    vi.advanceTimersByTime(500);
    await expect(hanging).rejects.toMatchObject({ kind: 'silent' });
    isOver = true;
    await reading;
    expect(await storage.read(['device'], (tx) => tx.all('device'))).toEqual([]);
    await thaw();
  });
});

test('a database that does not open is opened with its own version only if a newer app has made it', async () => {
  const factory = new IDBFactory();
  const open = vi.spyOn(factory, 'open').mockImplementation(() => {
    throw new DOMException('not allowed', 'SecurityError');
  });
  await expect(openStorage(factory)).rejects.toMatchObject({ kind: 'unopenable' });
  expect(open).toHaveBeenCalledOnce();
});
