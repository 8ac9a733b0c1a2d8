import { describe, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { bring } from './bring.ts';
import type { ImportedTest } from './messages.ts';

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
  })),
  notes: [],
};

const ignore = () => undefined;

describe('pictures of imported questions', () => {
  test('an unreadable one is reported and omitted; the others are imported', async () => {
    const prepare = vi
      .fn<(file: Blob) => Promise<Blob>>()
      .mockRejectedValueOnce(new Error('Это не картинка'))
      .mockImplementation(async (file) => file);
    const way = { prepare, upload: async () => SENT };
    const { signal } = new AbortController();
    const { questions, lost } = await bring(imported, new Set([0]), way, ignore, signal);
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
    const way = { prepare: async (file: Blob) => file, upload };
    const { signal } = new AbortController();
    const { questions, lost } = await bring(imported, new Set([0]), way, ignore, signal);
    expect(lost).toEqual(['1.png: Подойдут MP3, M4A и WAV']);
    expect(questions[0]?.text).toBe(`[рисунок] ![рисунок](file:${SENT})`);
    upload.mockRejectedValue(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' }));
    await expect(bring(imported, new Set([0]), way, ignore, signal)).rejects.toThrow(ApiFailure);
  });

  test('when stopped nothing is imported and no further picture is sent', async () => {
    const abort = new AbortController();
    const upload = vi.fn(async () => {
      abort.abort();
      return SENT;
    });
    const way = { prepare: async (file: Blob) => file, upload };
    await expect(bring(imported, new Set([0]), way, ignore, abort.signal)).rejects.toThrow(
      /abort/i,
    );
    expect(upload).toHaveBeenCalledOnce();
  });
});
