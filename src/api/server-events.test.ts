import { expect, test } from 'vitest';
import { createEventReader } from './server-events.ts';

function read(pieces: readonly string[]): string[] {
  const heard: string[] = [];
  const take = createEventReader({
    onData: (data) => heard.push(data),
    onComment: () => heard.push(':'),
  });
  for (const piece of pieces) take(piece);
  return heard;
}

const TEXT = '\uFEFFretry: 3000\n: hello\n\ndata: {"a":1}\r\n\r\ndata:раз\ndata: два\n\nid: 7\n\n';

test('events, comments and lines of data are told apart', () => {
  expect(read([TEXT])).toEqual([':', '{"a":1}', 'раз\nдва']);
});

test('wherever the text is cut, the same is read', () => {
  const whole = read([TEXT]);
  for (let at = 1; at < TEXT.length; at += 1)
    expect(read([TEXT.slice(0, at), TEXT.slice(at)]), `cut at ${at}`).toEqual(whole);
  expect(read(TEXT.split(''))).toEqual(whole);
});

test('an event that is not finished is not told', () => {
  expect(read(['data: {"a":1}\n'])).toEqual([]);
});

test('a name, an empty line of data and a lone return are as the standard has them', () => {
  expect(read(['event: x\ndata\n\n', 'data: 1\rdata: 2\r\rdata: 3\n\n'])).toEqual([
    '',
    '1\n2',
    '3',
  ]);
});
