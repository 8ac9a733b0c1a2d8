import { expect, test } from 'vitest';
import { EventStream } from './event-stream.ts';

test('events arrive in order and the end after them', async () => {
  const stream = new EventStream();
  const events = stream[Symbol.asyncIterator]();
  stream.offer('1');
  expect(String((await events.next()).value)).toBe('data: 1\n\n');
  stream.offer('2');
  stream.finish();
  stream.offer('3');
  stream.finish();
  expect(String((await events.next()).value)).toBe('data: 2\n\n');
  expect((await events.next()).done).toBe(true);
});

test('a client that does not read gets the newest state, not all of them', () => {
  const stream = new EventStream();
  stream.read(0);
  for (let n = 1; n <= 1_000; n += 1) stream.offer(String(n));
  expect(stream.readableLength).toBeLessThan(20);
  stream.alive();
  expect(String(stream.read())).toBe('data: 1\n\ndata: 1000\n\n');
});

test('a closed stream accepts nothing more', () => {
  const stream = new EventStream();
  stream.destroy();
  stream.offer('1');
  stream.alive();
  stream.finish();
  expect(stream.readableLength).toBe(0);
});

test('with keepAll every event arrives, in order', () => {
  const stream = new EventStream({ keepAll: 10_000 });
  stream.read(0);
  for (let n = 1; n <= 3; n += 1) stream.offer(String(n));
  stream.alive();
  stream.finish();
  const received: unknown[] = [];
  for (let part: unknown = stream.read(); part !== null; part = stream.read()) received.push(part);
  expect(received.join('')).toBe('data: 1\n\ndata: 2\n\ndata: 3\n\n');
});

test('with keepAll a client that does not read is disconnected, not waited for without end', () => {
  const stream = new EventStream({ keepAll: 1_000 });
  stream.read(0);
  for (let n = 1; n <= 1_000; n += 1) stream.offer('0123456789');
  expect(stream.destroyed).toBe(true);
});
