import { expect, test, vi } from 'vitest';
import type { Decode } from '#app/lib/pictures/prepare-picture.ts';
import { offeredProblem } from '#app/ui/forms/offered-files.ts';
import { PickProblem } from './file-picks.ts';
import { readPickedFile } from './read-picked-file.ts';

const RULES = { accept: ['image/*', '.pdf'], maxBytes: 1024 };
const JPEG_HEAD = [0xff, 0xd8, 0xff, 0xe0];

const file = (name: string, type: string, size: number, head: number[] = JPEG_HEAD) =>
  new File([new Uint8Array(size).fill(1).map((byte, at) => head[at] ?? byte)], name, { type });

const decodeTo =
  (size: number): Decode =>
  async () => ({
    width: 40,
    height: 30,
    hasTransparency: false,
    close: () => undefined,
    encode: async () => new Blob([new Uint8Array(size)], { type: 'image/jpeg' }),
  });

test('a file within the limit stays byte for byte as it is', async () => {
  const decode = vi.fn<Decode>();
  const photo = file('a.jpg', 'image/jpeg', 1024);
  const read = await readPickedFile(photo, RULES, decode);
  expect(read).toMatchObject({ name: 'a.jpg', mimeType: 'image/jpeg', note: null, isAdded: false });
  expect(read.bytes).toEqual(new Uint8Array(await photo.arrayBuffer()));
  expect(decode).not.toHaveBeenCalled();
});

test('a photo above the limit becomes a smaller JPEG, and its card says so', async () => {
  const read = await readPickedFile(file('IMG_1.PNG', 'image/png', 2048), RULES, decodeTo(600));
  expect(read).toMatchObject({
    name: 'IMG_1.jpg',
    mimeType: 'image/jpeg',
    note: 'Фото уменьшено: 2\u00a0КБ → 600\u00a0Б',
  });
  expect(read.bytes).toHaveLength(600);
});

test('a large file that only its name calls a photo is refused as any large file', async () => {
  const pdf = file('a.jpg', 'image/jpeg', 2048, [0x25, 0x50, 0x44, 0x46]);
  await expect(readPickedFile(pdf, RULES, decodeTo(600))).rejects.toThrow(
    new PickProblem('Файл больше 1\u00a0КБ. Выберите файл поменьше'),
  );
});

test.each([
  ['NotFoundError', /^Файла больше нет на прежнем месте/],
  ['NotReadableError', /^Файл не читается/],
  ['NotAllowedError', /^Нет разрешения/],
  ['UnknownError', /^Файл не удалось прочитать/],
])('a read that fails by %s is explained', async (name, words) => {
  const unreadable = file('a.jpg', 'image/jpeg', 10);
  unreadable.arrayBuffer = () => Promise.reject(new DOMException('no', name));
  await expect(readPickedFile(unreadable, RULES)).rejects.toThrow(words);
});

test.each([
  ['a photo', 'a.jpg', 'image/jpeg', ['image/*'], null],
  ['a photo without a type', 'IMG.HEIC', '', ['image/*'], null],
  ['no photo', 'a.pdf', 'application/pdf', ['.pdf'], /^Файл больше/],
  ['a drawing', 'a.svg', 'image/svg+xml', ['image/*'], /^Файл больше/],
  ['a photo where no JPEG is accepted', 'a.png', 'image/png', ['.png'], /^Файл больше/],
  ['a photo of a wrong type', 'a.png', 'image/png', ['.pdf'], /^Такой файл не подойдёт/],
] as const)('above the limit: %s', (_, name, type, accept, expected) => {
  const problem = offeredProblem(file(name, type, 2048), {
    accept,
    maxBytes: 1000,
    shrinksPhotos: true,
  });
  if (expected === null) expect(problem).toBeNull();
  else expect(problem).toMatch(expected);
});

test('ten large photos that are picked at once are decoded one after another: memory holds one', async () => {
  let open = 0;
  let most = 0;
  const decode: Decode = async (photo) => {
    open += 1;
    most = Math.max(most, open);
    const picture = await decodeTo(600)(photo);
    return { ...picture, close: () => void (open -= 1) };
  };
  const picked = Array.from({ length: 10 }, (_, index) => file(`${index}.jpg`, 'image/jpeg', 2048));
  const read = await Promise.all(picked.map((one) => readPickedFile(one, RULES, decode)));
  expect([read.length, most, open]).toEqual([10, 1, 0]);
});

test('a photo that cannot be decoded does not stop the next one', async () => {
  const broken = () => Promise.reject(new Error('broken'));
  const [first, second] = await Promise.allSettled([
    readPickedFile(file('a.jpg', 'image/jpeg', 2048), RULES, broken),
    readPickedFile(file('b.jpg', 'image/jpeg', 2048), RULES, decodeTo(600)),
  ]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
});

test.each([
  ['scan.tiff', 'image/tiff'],
  ['a.gif', 'image/gif'],
])(
  '%s may have more than one picture: it is refused instead of losing the others',
  (name, type) => {
    expect(offeredProblem(file(name, type, 2048), { ...RULES, shrinksPhotos: true })).toBe(
      'Файл больше 1\u00a0КБ. Выберите файл поменьше',
    );
  },
);

test('a photo that cannot be made smaller says why, and the next one is tried all the same', async () => {
  const photo = () => file('a.b.jpg', 'image/jpeg', 2048);
  const fail: Decode = () => Promise.reject(new Error('damaged'));
  await expect(readPickedFile(photo(), RULES, fail)).rejects.toThrow(PickProblem);
  await expect(readPickedFile(photo(), RULES, fail)).rejects.toThrow(/^Картинка не открывается/);
  expect((await readPickedFile(photo(), RULES, decodeTo(600))).name).toBe('a.b.jpg');
});

test('where several files are allowed the picked one joins the others', async () => {
  const rules = { ...RULES, maxFiles: 2 };
  expect((await readPickedFile(file('a.jpg', 'image/jpeg', 10), rules)).isAdded).toBe(true);
});
