import { expect, test } from 'vitest';
import { BYTES_TYPE, isShownPicture, namesOfKind, servedType } from './file-types.ts';

const PICTURES = ['jpeg', 'png', 'webp', 'gif', 'avif', 'bmp'].map((name) => `image/${name}`);

test.each(PICTURES)('%s is shown and served as is', (type) => {
  expect(isShownPicture(type)).toBe(true);
  expect(servedType(type)).toBe(type);
});

test.each(['image/heic', 'image/heif', 'application/pdf'])(
  '%s is served as is, but not shown as a picture',
  (type) => {
    expect(isShownPicture(type)).toBe(false);
    expect(servedType(type)).toBe(type);
  },
);

test.each([
  'image/svg+xml',
  'text/html',
  'application/xhtml+xml',
  'application/pdf+xml',
  'image/png, text/html',
  'image/jpegx',
  'text/html image/png',
  'text/application/pdf',
  'image/heix',
  '',
])('%j leaves as bytes, which no browser runs', (type) => {
  expect(isShownPicture(type)).toBe(false);
  expect(servedType(type)).toBe(BYTES_TYPE);
});

test('a file without a known type is served as bytes', () => {
  expect(servedType()).toBe(BYTES_TYPE);
});

test('all names of one file type are recognized', () => {
  expect(namesOfKind('jpg')).toEqual(['jpg', 'jpeg', 'image/jpeg', 'image/jpg']);
  expect(namesOfKind('image/jpeg')).toBe(namesOfKind('jpg'));
  expect(namesOfKind('exe')).toEqual([]);
});
