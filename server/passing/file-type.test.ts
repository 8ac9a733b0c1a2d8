import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { handedInType } from './file-type.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const hex = (text: string) => Buffer.from(text, 'hex');
const zip = (name: string) => Buffer.from(zipSync({ [name]: strToU8('x') }));
const office = (main: string) =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.${main}.main+xml"/></Types>`,
      ),
      'a.xml': strToU8('x'),
    }),
  );
/** Word and Excel of old times begin alike. */
const old = Buffer.concat([hex('d0cf11e0a1b11ae1'), Buffer.alloc(600)]);

test.each([
  ['a spreadsheet', office('spreadsheetml.sheet'), '', XLSX],
  ['an old table', old, 'application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ['an old document', old, 'application/msword', 'application/msword'],
  ['an archive', zip('a.txt'), 'application/zip', 'application/zip'],
  [
    'an archive by Windows',
    zip('a.txt'),
    'application/x-zip-compressed',
    'application/x-zip-compressed',
  ],
  ['a program', hex(`4d5a${'00'.repeat(100)}`), 'application/zip', null],
  ['a web page', Buffer.from('<!doctype html><script></script>'), 'image/png', null],
])('%s has its type by its content', async (_name, head, said, type) => {
  expect(await handedInType(head, said)).toEqual(type);
});

test('an archive that says to be a page is none', async () => {
  expect(await handedInType(zip('a.html'), 'text/html')).not.toMatch('html');
});
