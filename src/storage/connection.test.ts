import { expect, test, vi } from 'vitest';
import { createConnection } from './connection.ts';

/** A database handle with events that a test fires. */
class FakeDatabase extends EventTarget {
  isClosed = false;
  close(): void {
    this.isClosed = true;
  }
}

class FakeTransaction extends EventTarget {
  readonly abort = vi.fn<() => void>();
}

/** A page that the test hides and shows. */
function hideablePage() {
  let hide: (mayReturn: boolean) => void = () => undefined;
  let show: () => void = () => undefined;
  return {
    page: {
      onHide: (run: typeof hide) => {
        hide = run;
        return () => undefined;
      },
      onShow: (run: typeof show) => {
        show = run;
        return () => undefined;
      },
    },
    hide: (mayReturn = true) => hide(mayReturn),
    show: () => show(),
  };
}

/** Opens that the test resolves one by one. */
function openings() {
  const begun: { succeed: (db: FakeDatabase) => void; fail: (error: Error) => void }[] = [];
  const open = () =>
    new Promise<FakeDatabase>((succeed, fail) => {
      begun.push({ succeed, fail });
    });
  return { open, begun };
}

const opened = () => vi.fn(async () => new FakeDatabase());

test('one handle serves all callers until it is released', async () => {
  const open = opened();
  const connection = createConnection(open);
  const first = await connection.use();
  expect(await connection.use()).toBe(first);
  connection.drop();
  expect(first.isClosed).toBe(true);
  expect(await connection.use()).not.toBe(first);
  expect(open).toHaveBeenCalledTimes(2);
});

test.each(['close', 'versionchange'])(
  'after the browser’s %s the next use opens again',
  async (event) => {
    const connection = createConnection(opened());
    const first = await connection.use();
    first.dispatchEvent(new Event(event));
    expect(await connection.use()).not.toBe(first);
  },
);

test('a page of a newer app does not wait for its upgrade', async () => {
  const connection = createConnection(opened());
  const first = await connection.use();
  first.dispatchEvent(new Event('versionchange'));
  expect(first.isClosed).toBe(true);
});

test('events of an earlier handle do not affect the current one', async () => {
  const connection = createConnection(opened());
  const earlier = await connection.use();
  connection.drop();
  const present = await connection.use();
  earlier.dispatchEvent(new Event('close'));
  expect(await connection.use()).toBe(present);
});

test('a handle that opens after its release is closed', async () => {
  const { open, begun } = openings();
  const connection = createConnection(open);
  const using = connection.use();
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  connection.drop();
  const late = new FakeDatabase();
  begun[0]?.succeed(late);
  await using;
  expect(late.isClosed).toBe(true);
});

test('after a failed open the next use opens again', async () => {
  const open = opened();
  open.mockRejectedValueOnce(new Error('damaged'));
  const connection = createConnection(open);
  await expect(connection.use()).rejects.toThrow('damaged');
  expect((await connection.use()).isClosed).toBe(false);
});

test('a released open that fails late does not affect the current one', async () => {
  const { open, begun } = openings();
  const connection = createConnection(open);
  const first = connection.use();
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  connection.drop();
  const second = connection.use();
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[0]?.fail(new Error('late'));
  await expect(first).rejects.toThrow('late');
  const db = new FakeDatabase();
  begun[1]?.succeed(db);
  expect(await second).toBe(db);
  expect(await connection.use()).toBe(db);
});

test('a handle that opens while the page is hidden is closed, and its caller gets a new one when the page is shown', async () => {
  const { open, begun } = openings();
  const { page, hide, show } = hideablePage();
  const connection = createConnection(open, page);
  const using = connection.use();
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  hide();
  const early = new FakeDatabase();
  begun[0]?.succeed(early);
  await vi.waitFor(() => expect(early.isClosed).toBe(true));
  show();
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  const db = new FakeDatabase();
  begun[1]?.succeed(db);
  expect(await using).toBe(db);
});

test('a caller waiting for a page that is hidden twice continues when the page is shown', async () => {
  const { page, hide, show } = hideablePage();
  const connection = createConnection(opened(), page);
  hide();
  const using = connection.use();
  hide();
  show();
  expect((await using).isClosed).toBe(false);
});

test('a transaction running when the page is hidden is aborted and notified; a committing one ends', () => {
  const { page, hide } = hideablePage();
  const connection = createConnection(opened(), page);
  const committing = new FakeTransaction();
  committing.abort.mockImplementation(() => {
    throw new DOMException('committing', 'InvalidStateError');
  });
  const interrupted: string[] = [];
  connection.track(committing, () => interrupted.push('committing'));
  const running = new FakeTransaction();
  connection.track(running, () => interrupted.push('running'));
  hide();
  expect(running.abort).toHaveBeenCalledOnce();
  expect(interrupted).toEqual(['running']);
});

test.each(['complete', 'abort'])('a transaction after its %s is released', (end) => {
  const { page, hide } = hideablePage();
  const connection = createConnection(opened(), page);
  const over = new FakeTransaction();
  connection.track(over);
  over.dispatchEvent(new Event(end));
  hide();
  expect(over.abort).not.toHaveBeenCalled();
});
