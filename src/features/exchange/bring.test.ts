import { describe, expect, test, vi } from 'vitest';
import type { PictureUploaderValue } from '#app/questions/form/picture-uploader.ts';
import type { Question } from '#contract/questions.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { PictureRefusal } from '#app/lib/pictures/prepare-picture.ts';
import { bring, type BringOptions } from './bring.ts';
import type { ImportedTest } from './messages.ts';
import type { SentPictures } from './sent-pictures.ts';

const KEYS = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
] as const;
const SENT = '33333333-3333-4333-8333-333333333333';

const question: Question = {
  questionId: '00000000-0000-4000-8000-000000000001',
  kind: 'open',
  input: 'text',
  text: KEYS.map((key) => `![рисунок](file:${key})`).join(' '),
  points: 1,
  accepted: [],
  tolerance: 0,
};

const imported: ImportedTest = {
  format: 'moodleXml',
  title: null,
  items: [{ question, place: '', losses: [], source: 's' }],
  refused: [],
  pictures: KEYS.map((key, index) => ({
    key,
    name: `${index + 1}.png`,
    mimeType: 'image/png',
    bytes: new Uint8Array([index]),
    digest: `d${index}`,
  })),
  notes: [],
};

const ignore = () => undefined;

function memory(): SentPictures & { readonly keys: Map<string, string> } {
  const keys = new Map<string, string>();
  return {
    keys,
    keyOf: (digest) => keys.get(digest) ?? null,
    add: (digest, key) => void keys.set(digest, key),
  };
}

const bringWith = (
  uploader: PictureUploaderValue,
  {
    sent = memory(),
    signal = new AbortController().signal,
    onProgress = ignore,
    file = imported,
  }: Partial<BringOptions> & { file?: ImportedTest } = {},
) => bring(file, new Set([0]), { uploader, sent, onProgress, signal });

const keyOf = (number: number) => `44444444-4444-4444-8444-${String(number).padStart(12, '0')}`;

/** A file of one question with many pictures. */
function bankOf(count: number): ImportedTest {
  const pictures = Array.from({ length: count }, (_, index) => ({
    key: `55555555-5555-4555-8555-${String(index).padStart(12, '0')}`,
    name: `${index}.png`,
    mimeType: 'image/png',
    bytes: new Uint8Array([index]),
    digest: `d${index}`,
  }));
  const text = pictures.map(({ key }) => `![](file:${key})`).join(' ');
  return {
    ...imported,
    items: [{ question: { ...question, text }, place: '', losses: [], source: 's' }],
    pictures,
  };
}

describe('pictures of imported questions', () => {
  test('an unreadable one is reported and omitted; the others are imported', async () => {
    const prepare = vi
      .fn<(file: Blob) => Promise<Blob>>()
      .mockRejectedValueOnce(new PictureRefusal('Это не картинка'))
      .mockImplementation(async (file) => file);
    const uploader = { prepare, upload: async () => SENT };
    const { questions, lost } = await bringWith(uploader);
    expect(lost).toEqual(['1.png: Это не картинка']);
    expect(questions[0]?.text).toBe(`[рисунок] ![рисунок](file:${SENT})`);
  });

  test('one that the server refuses is reported with its name, and stops no other', async () => {
    const refused = new ApiFailure({
      kind: 'refused',
      method: 'POST',
      url: '/api/Files/recordings',
      status: 422,
      code: 'FILE_REFUSED',
      message: 'Подойдут MP3, M4A и WAV',
    });
    const upload = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(refused)
      .mockResolvedValue(SENT);
    const uploader = { prepare: async (file: Blob) => file, upload };
    const { questions, lost } = await bringWith(uploader);
    expect(lost).toEqual(['1.png: Подойдут MP3, M4A и WAV']);
    expect(questions[0]?.text).toBe(`[рисунок] ![рисунок](file:${SENT})`);
    upload.mockRejectedValue(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' }));
    await expect(bringWith(uploader)).rejects.toThrow(ApiFailure);
  });

  test('when stopped no further picture is sent, and those that arrived are remembered', async () => {
    const abort = new AbortController();
    const sent = memory();
    const upload = vi.fn(async () => {
      abort.abort();
      return SENT;
    });
    const uploader = { prepare: async (file: Blob) => file, upload };
    await expect(
      bringWith(uploader, { sent, signal: abort.signal, file: bankOf(10) }),
    ).rejects.toThrow(/abort/i);
    // Uploads that ran in parallel.
    expect(upload.mock.calls.length).toBeLessThanOrEqual(3);
    expect(sent.keys.size).toBe(upload.mock.calls.length);
  });

  test('a repeat after a failure sends what is missing, and nothing twice', async () => {
    const sent = memory();
    const arrived: number[] = [];
    let isOffline = false;
    const upload = async (picture: Blob) => {
      const [number = -1] = new Uint8Array(await picture.arrayBuffer());
      if (arrived.length === 25) isOffline = true;
      if (isOffline) throw new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' });
      arrived.push(number);
      return keyOf(number);
    };
    const uploader = { prepare: async (file: Blob) => file, upload };
    const file = bankOf(40);
    await expect(bringWith(uploader, { sent, file })).rejects.toThrow(ApiFailure);
    expect(sent.keys.size).toBe(25);

    isOffline = false;
    arrived.push(-1);
    const progress: string[] = [];
    const onProgress = (done: number, of: number) => void progress.push(`${done}/${of}`);
    const { questions, lost } = await bringWith(uploader, { sent, file, onProgress });
    expect(progress[0]).toBe('25/40');
    expect(progress.at(-1)).toBe('40/40');
    expect(lost).toEqual([]);
    const numbers = arrived.filter((number) => number >= 0);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(file.pictures.map((_, at) => at));
    expect(questions[0]?.text).toBe(
      file.pictures.map((_, at) => `![](file:${keyOf(at)})`).join(' '),
    );
  });

  test('a few travel at once, and equal ones once', async () => {
    let now = 0;
    let most = 0;
    const upload = vi.fn(async () => {
      most = Math.max(most, (now += 1));
      await Promise.resolve();
      now -= 1;
      return SENT;
    });
    const uploader = { prepare: async (file: Blob) => file, upload };
    const file = bankOf(20);
    const pictures = file.pictures.map((one, at) => ({ ...one, digest: `d${at % 10}` }));
    const { questions } = await bringWith(uploader, { file: { ...file, pictures } });
    expect(upload).toHaveBeenCalledTimes(10);
    expect(most).toBe(3);
    expect(questions[0]?.text.split(' ')).toHaveLength(20);
    expect(new Set(questions[0]?.text.split(' '))).toEqual(new Set([`![](file:${SENT})`]));
  });
});
