import { expect, test } from 'vitest';
import { writtenTypes } from './written-types.ts';

test.each([
  ['.pdf', '.pdf'],
  ['PDF', '.pdf'],
  [' docx ', '.docx'],
  ['*.Docx', '.docx'],
  ['7z', '.7z'],
  ['.tar.gz', '.tar.gz'],
  ['Image/*', 'image/*'],
  ['application/pdf', 'application/pdf'],
])('%j is the type %s', (written, type) => {
  expect(writtenTypes([written])).toEqual({ accept: [type], unknown: [] });
});

test.each([
  'картинки',
  'pdf и doc',
  'Документы Word',
  'file name',
  'abcdefghijk',
  'a*.pdf',
  '*pdf',
])('%j names no type and is reported as written', (written) => {
  expect(writtenTypes(['.pdf', written])).toEqual({ accept: ['.pdf'], unknown: [written] });
});

test('each type is listed once, in the order of writing', () => {
  expect(writtenTypes(['PNG', '*.jpg', '.png', 'jpg']).accept).toEqual(['.png', '.jpg']);
});

test('empty entries are ignored', () => {
  expect(writtenTypes(['', '  ', 'zip'])).toEqual({ accept: ['.zip'], unknown: [] });
});

test.each(['*', '*.*', '*/*', ' * ', 'Application/Octet-Stream'])(
  'where %j is listed any file is accepted, and other entries are ignored',
  (any) => {
    expect(writtenTypes(['.pdf', any, 'картинки'])).toEqual({ accept: [], unknown: [] });
  },
);
