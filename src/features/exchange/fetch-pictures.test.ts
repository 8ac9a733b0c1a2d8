import { expect, test } from 'vitest';
import type { Decoded } from '#app/lib/pictures/prepare-picture.ts';
import { forWord } from './fetch-pictures.ts';

const SIZE = { width: 400, height: 300 };

function decoder(hasTransparency: boolean) {
  const encodings: string[] = [];
  const decoded: Decoded = {
    ...SIZE,
    hasTransparency,
    encode: (_, type, quality) => {
      encodings.push(`${type} ${quality}`);
      return Promise.resolve(new Blob(['converted'], { type }));
    },
    close: () => encodings.push('closed'),
  };
  return { encodings, decode: () => Promise.resolve(decoded) };
}

test.each(['image/png', 'image/jpeg', 'image/gif'])(
  'a picture of type %s, which Word shows, stays as it is',
  async (type) => {
    const { encodings, decode } = decoder(true);
    const made = await forWord(new Blob(['stored'], { type }), decode);
    expect(made).toEqual({ mimeType: type, bytes: new TextEncoder().encode('stored'), ...SIZE });
    expect(encodings).toEqual(['closed']);
  },
);

test.each([
  [true, 'image/png'],
  [false, 'image/jpeg'],
])('a WebP with transparency %s becomes %s', async (hasTransparency, type) => {
  const { encodings, decode } = decoder(hasTransparency);
  const made = await forWord(new Blob(['stored'], { type: 'image/webp' }), decode);
  expect(made).toMatchObject({ mimeType: type, ...SIZE });
  expect(new TextDecoder().decode(made.bytes)).toBe('converted');
  expect(encodings).toEqual([`${type} 0.9`, 'closed']);
});
