import { readdir, readFile, stat } from 'node:fs/promises';
import { imageSize } from 'image-size';
import { describe, expect, test } from 'vitest';
import { splitPictures } from './pictures.ts';
import { TOPICS } from './topics.ts';

const FOLDER = 'docs/help/pictures';
const MAX_BYTES = 25_000;

async function namedPictures(): Promise<{ topic: string; alt: string; path: string }[]> {
  const pages = await Promise.all(
    TOPICS.map(async ({ key }) => {
      const page = await readFile(`docs/help/${key}.md`, 'utf8');
      return [...page.matchAll(/!\[(.*?)\]\((.*?)\)/g)].map(([, alt = '', path = '']) => ({
        topic: key,
        alt,
        path,
      }));
    }),
  );
  return pages.flat();
}

describe('a picture of the help', () => {
  test('is named in a page, and a named one exists', async () => {
    const files = (await readdir(FOLDER)).filter((name) => name !== 'sizes.json');
    const named = (await namedPictures()).map(({ path }) => path);
    expect(named.toSorted()).toEqual(files.map((name) => `pictures/${name}`).toSorted());
  });

  test('is described in words, is shown, and its name begins with its page', async () => {
    for (const { topic, alt, path } of await namedPictures()) {
      expect(alt.length, path).toBeGreaterThan(80);
      expect(path).toMatch(new RegExp(`^pictures/${topic}-`));
      const page = await readFile(`docs/help/${topic}.md`, 'utf8');
      expect(splitPictures(page), path).toContainEqual(expect.objectContaining({ alt }));
    }
  });

  test('has its true size in the list, and is small', async () => {
    const sizes: unknown = JSON.parse(await readFile(`${FOLDER}/sizes.json`, 'utf8'));
    const files = (await readdir(FOLDER)).filter((name) => name !== 'sizes.json');
    const measured = files.map(async (name) => {
      const { width, height } = imageSize(await readFile(`${FOLDER}/${name}`));
      return [name, { width: width / 2, height: height / 2 }];
    });
    expect(Object.fromEntries(await Promise.all(measured))).toEqual(sizes);
    for (const name of files)
      expect((await stat(`${FOLDER}/${name}`)).size, name).toBeLessThanOrEqual(MAX_BYTES);
  });
});

describe('a text of the help', () => {
  test('is split at its pictures, which keep their order', () => {
    const line = (name: string) => `![Окно «${name}»](pictures/${name}.png)`;
    const text = `1. Раз\n\n${line('student-receipt')}\n\n2. Два\n\n${line('student-hand-over')}`;
    expect(splitPictures(text)).toEqual([
      '1. Раз',
      {
        alt: 'Окно «student-receipt»',
        src: expect.stringContaining('student-receipt'),
        width: expect.any(Number),
        height: expect.any(Number),
      },
      '2. Два',
      expect.objectContaining({ alt: 'Окно «student-hand-over»' }),
    ]);
    expect(splitPictures('Без картинок')).toEqual(['Без картинок']);
  });

  test('shows no other pictures: an unknown name, an address, one within a line', () => {
    expect(splitPictures('а\n\n![нет](pictures/none.png)\n\nб')).toEqual(['а', 'б']);
    const address = '![нет](https://example.com/student-receipt.png)';
    expect(splitPictures(address)).toEqual([address]);
    const within = 'а ![нет](pictures/student-receipt.png)';
    expect(splitPictures(within)).toEqual([within]);
  });
});
