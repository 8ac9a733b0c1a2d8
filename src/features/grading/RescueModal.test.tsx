import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { saveFile } from '#app/lib/files.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { readRescued } from './rescued.ts';
import { RescueModal } from './RescueModal.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('#app/lib/files.ts', () => ({ saveFile: vi.fn() }));
vi.mock('./rescued.ts', async (original) => ({
  ...(await original<object>()),
  readRescued: vi.fn(),
}));

const answers = [{ operationId: 'o1' }, { operationId: 'o2' }] as never[];
let shown: Rendered;
beforeEach(async () => {
  vi.mocked(call).mockReset();
  vi.mocked(readRescued).mockReturnValue({
    owner: 'anna',
    attempts: [{ attemptId: 'a1', answers, files: [] }],
    count: 2,
    elsewhere: 0,
    misfits: 0,
    lost: [],
  });
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <RescueModal testId="t1" opened onClose={() => undefined} />
    </QueryClientProvider>,
  );
});
afterEach(() => shown.unmount());

const words = () => shown.container.textContent.replaceAll('\u00A0', ' ');
const seen = (text: string) => act(() => vi.waitFor(() => expect(words()).toContain(text)));
const press = (label: string) =>
  click([...shown.container.querySelectorAll('button')].find((one) => one.textContent === label));
const choose = (text: string) =>
  act(async () => {
    const input = shown.container.querySelector('input');
    Object.defineProperty(input, 'files', {
      value: [new File([text], 'Ответы.json')],
      configurable: true,
    });
    Object.defineProperty(input, 'value', { value: '', writable: true, configurable: true });
    input?.dispatchEvent(new Event('change', { bubbles: true }));
  });
const pick = async () => {
  await choose('{}');
  await act(() => vi.waitFor(() => expect(readRescued).toHaveBeenCalledWith('{}', 't1')));
};

test('of a plain file it says before and after that the answers wait for the teacher', async () => {
  vi.mocked(call).mockResolvedValue({
    userName: 'Анна',
    results: [{ outcome: 'held' }, { outcome: 'known' }],
  });
  await pick();
  await seen('В файле 2 ответа на этот тест.');
  expect(words()).toContain('загруженные ответы не засчитаются сами: они появятся под «Поздние»');
  expect(call).not.toHaveBeenCalled();
  await press('Загрузить');
  await seen('Анна: ждёт вашего решения под «Поздние»: 1 ответ; уже на сервере: 1 ответ.');
  expect(vi.mocked(call).mock.calls.map(([, given]) => given)).toEqual([
    { params: { id: 't1', attemptId: 'a1' }, body: { owner: 'anna', answers } },
  ]);
});

test('the verbs agree with the numbers of answers', async () => {
  const outcomes = ['wrong', ...Array.from({ length: 21 }, () => 'held')];
  vi.mocked(call).mockResolvedValue({
    userName: 'Анна',
    results: outcomes.map((outcome) => ({ outcome })),
  });
  await pick();
  await seen('Загрузить');
  await press('Загрузить');
  await seen(
    'Анна: ждёт вашего решения под «Поздние»: 21 ответ; не подходит к вопросам этой попытки: 1 ответ.',
  );
});

const refusal = (code: string, status: number) =>
  new ApiFailure({ kind: 'refused', method: 'POST', url: '/', status, code, message: 'нет' });

test('an attempt that the server does not know is reported, and nothing is called loaded', async () => {
  vi.mocked(call).mockRejectedValue(refusal('NOT_FOUND', 404));
  await pick();
  await seen('Загрузить');
  await press('Загрузить');
  await seen(
    'Попытки, о которой говорит файл, на сервере нет. Её начало ещё не дошло, или её удалили.',
  );
  expect(words()).not.toMatch(/Готово|ждут вашего решения|Сохранить подтверждение/);
});

test('an attempt that the server does not know stops no other one of the file', async () => {
  vi.mocked(readRescued).mockReturnValue({
    owner: 'anna',
    attempts: ['a1', 'a2'].map((attemptId) => ({ attemptId, answers, files: [] })),
    count: 4,
    elsewhere: 0,
    misfits: 0,
    lost: [],
  });
  vi.mocked(call)
    .mockRejectedValueOnce(refusal('NOT_FOUND', 404))
    .mockResolvedValue({
      userName: 'Анна',
      results: [{ outcome: 'held' }, { outcome: 'held' }],
    });
  await pick();
  await seen('Загрузить');
  await press('Загрузить');
  await seen(
    'Анна: ждут вашего решения под «Поздние»: 2 ответа; нет на сервере попытки, чтобы загрузить: 2 ответа.',
  );
});

test('a file that no text can hold is not read', async () => {
  const read = vi.spyOn(File.prototype, 'text');
  vi.spyOn(File.prototype, 'size', 'get').mockReturnValue(2 ** 30);
  await choose('{}');
  await seen('Это не файл с ответами, или он повреждён.');
  expect(read).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

const photo = (fileId: string, base64: string) =>
  ({
    fileId,
    base64,
    name: `${fileId}.jpg`,
    questionId: 'q',
    mimeType: 'image/jpeg',
    sha256: 'a',
  }) as never;

test('a file that the server refuses is named, and the files after it are loaded', async () => {
  vi.mocked(readRescued).mockReturnValue({
    owner: 'anna',
    attempts: [
      {
        attemptId: 'a1',
        answers,
        files: [photo('f1', 'AQL/'), photo('f2', '!'), photo('f3', 'AQL/')],
      },
    ],
    count: 2,
    elsewhere: 0,
    misfits: 1,
    lost: [],
  });
  const uploaded: string[] = [];
  vi.mocked(call).mockImplementation(async (_route, given) => {
    const { params } = given as { params: { fileId?: string } };
    if (params.fileId === undefined) return { userName: 'Анна', results: [{ outcome: 'held' }] };
    if (params.fileId === 'f1') throw refusal('FILE_REFUSED', 422);
    uploaded.push(params.fileId);
    return { complete: true };
  });
  await pick();
  await seen('1 ответ не подходит ни к какому вопросу и не загрузится.');
  await press('Загрузить');
  await seen('Файлы не приняты: f1.jpg, f2.jpg.');
  expect(uploaded).toEqual(['f3']);
});

test('a lost network stops the import, which can be repeated', async () => {
  vi.mocked(readRescued).mockReturnValue({
    owner: 'anna',
    attempts: [{ attemptId: 'a1', answers, files: [photo('f1', 'AQL/')] }],
    count: 2,
    elsewhere: 0,
    misfits: 0,
    lost: [],
  });
  vi.mocked(call).mockImplementation(async (_route, given) => {
    if ('fileId' in (given as { params: object }).params) throw refusal('STORAGE_FULL', 507);
    return { userName: 'Анна', results: [{ outcome: 'held' }] };
  });
  await pick();
  await seen('Загрузить');
  await press('Загрузить');
  await seen('нет');
  expect(words()).not.toContain('Готово');
});

describe('an encrypted file', () => {
  const ANNA = '00000000-0000-7000-8000-000000000001';
  const encrypted = JSON.stringify({
    format: 'exam-room-handover',
    version: 1,
    owner: ANNA,
    parts: ['AQI=', 'Aw=='],
  });
  const reply = {
    userName: 'Анна',
    begins: 0,
    heldBegins: 0,
    answers: 0,
    held: 0,
    finishes: 0,
    heldFinishes: 0,
    stray: 0,
    strayFinishes: 0,
    files: 0,
    problems: [],
    unmade: 0,
    receipts: '',
  };

  test('is brought in part by part, and what was accepted is summed up', async () => {
    vi.mocked(call)
      .mockResolvedValueOnce({ ...reply, begins: 1, answers: 2, held: 1 })
      .mockResolvedValueOnce({ ...reply, files: 1, finishes: 1, problems: ['Тест закрыт'] });
    await choose(encrypted);
    await seen('Файл зашифрован');
    await press('Загрузить');
    await seen(
      'Анна: принято начало теста, 2 ответа, 1 файл, завершение теста; ждёт вашего решения под «Поздние»: 1 ответ. Тест закрыт.',
    );
    expect(vi.mocked(call).mock.calls.map(([, given]) => given)).toEqual([
      { params: { owner: ANNA }, bytes: Uint8Array.from([1, 2]) },
      { params: { owner: ANNA }, bytes: Uint8Array.from([3]) },
    ]);
  });

  test('that the server could not take as a whole is offered again, until everything is there', async () => {
    vi.mocked(call)
      .mockResolvedValueOnce({ ...reply, answers: 2, unmade: 3 })
      .mockResolvedValue({ ...reply, answers: 5 });
    await choose(encrypted);
    await seen('Загрузить');
    await press('Загрузить');
    await seen('Сервер принял не всё. Повторите: остальное дойдёт, и ничего не удвоится.');
    expect(words()).not.toContain('Готово');
    await press('Повторить');
    await seen('Анна: принято 10 ответов.');
    expect(words()).toContain('Готово');
    expect(words()).not.toContain('Повторить');
  });

  test('gives the receipts of all its parts back as a file', async () => {
    vi.mocked(call)
      .mockResolvedValueOnce({ ...reply, answers: 2, receipts: 'AQI=' })
      .mockResolvedValueOnce({ ...reply, finishes: 1, receipts: 'Aw==' });
    await choose(encrypted);
    await seen('Файл зашифрован');
    expect(words()).not.toContain('Сохранить подтверждение');
    await press('Загрузить');
    await seen('«Прочитать подтверждение» и выберет файл');
    await press('Сохранить подтверждение');
    const [blob, name] = vi.mocked(saveFile).mock.lastCall ?? [];
    expect(name).toBe('Подтверждение, Анна.json');
    expect(JSON.parse((await blob?.text()) ?? '')).toEqual({
      format: 'exam-room-receipts',
      version: 1,
      receipts: ['AQI=', 'Aw=='],
    });
  });

  test('of a held begin is not called accepted, and has receipts', async () => {
    vi.mocked(call).mockResolvedValue({ ...reply, heldBegins: 1, receipts: 'AQI=' });
    await choose(encrypted);
    await seen('Файл зашифрован');
    await press('Загрузить');
    await seen('Анна: ждёт вашего решения под «Поздние»: начало теста.');
    expect(words()).not.toMatch(/принято/);
    expect(words()).toContain('Сохранить подтверждение');
  });

  test('of which nothing was accepted has nothing to confirm', async () => {
    vi.mocked(call).mockResolvedValue({ ...reply, problems: ['Тест закрыт'] });
    await choose(encrypted);
    await seen('Файл зашифрован');
    await press('Загрузить');
    await seen('Анна: ничего не принято. Тест закрыт.');
    expect(words()).not.toContain('Сохранить подтверждение');
  });

  const message = 'Эти ответы не открываются';
  const failure = { kind: 'refused', method: 'POST', url: '/', status: 422, message } as const;
  const unreadable = new ApiFailure({ ...failure, code: 'HANDOVER_UNREADABLE' });
  const withParts = (...parts: string[]) =>
    JSON.stringify({ format: 'exam-room-handover', version: 1, owner: ANNA, parts });

  test.each([
    [{ held: 1 }, 'ждёт вашего решения под «Поздние»: 1 ответ'],
    [{ held: 3 }, 'ждут вашего решения под «Поздние»: 3 ответа'],
    [{ held: 21 }, 'ждёт вашего решения под «Поздние»: 21 ответ'],
    [{ held: 1, heldFinishes: 1 }, 'ждут вашего решения под «Поздние»: 1 ответ, завершение теста'],
    [
      { stray: 2, strayFinishes: 1 },
      'сохранено под «Не дошло», но попытки на сервере нет: 2 ответа, завершение теста',
    ],
    [{ strayFinishes: 1 }, 'сохранено, но попытки на сервере нет: завершение теста'],
  ])('of what does not count yet says where it is: %j', async (counts, expected) => {
    vi.mocked(call).mockResolvedValue({ ...reply, ...counts });
    await choose(withParts('AQI='));
    await seen('Файл зашифрован');
    await press('Загрузить');
    await seen(`Анна: ${expected}.`);
  });

  test('is brought in around a damaged part, which is named, and the others are confirmed', async () => {
    vi.mocked(call)
      .mockResolvedValueOnce({ ...reply, answers: 2, receipts: 'AQI=' })
      .mockRejectedValueOnce(unreadable)
      .mockResolvedValueOnce({ ...reply, finishes: 1, receipts: 'Aw==' });
    await choose(withParts('AQI=', 'Aw==', 'BA=='));
    await seen('Файл зашифрован');
    await press('Загрузить');
    await seen('Анна: принято 2 ответа, завершение теста. Часть 2 из 3 повреждена');
    expect(call).toHaveBeenCalledTimes(3);
    expect(words()).not.toContain(message);
    await press('Сохранить подтверждение');
    const [blob] = vi.mocked(saveFile).mock.lastCall ?? [];
    expect(await blob?.text()).toContain('"receipts":["AQI=","Aw=="]');
  });

  test('is brought in around parts that are no base64', async () => {
    vi.mocked(call).mockResolvedValueOnce({ ...reply, answers: 2, receipts: 'AQI=' });
    await choose(withParts('!', 'AQI=', 'Ы'));
    await seen('Файл зашифрован');
    await press('Загрузить');
    await seen('Анна: принято 2 ответа. Части 1 и 3 из 3 повреждены');
    expect(vi.mocked(call).mock.calls.map(([, given]) => given)).toEqual([
      { params: { owner: ANNA }, bytes: Uint8Array.from([1, 2]) },
    ]);
  });

  test('stops at a lost network, and is sent as a whole again', async () => {
    vi.mocked(call)
      .mockRejectedValueOnce(unreadable)
      .mockRejectedValueOnce(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' }))
      .mockRejectedValueOnce(unreadable)
      .mockResolvedValueOnce({ ...reply, answers: 1 });
    await choose(encrypted);
    await seen('Файл зашифрован');
    await press('Загрузить');
    await act(() => vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2)));
    await press('Загрузить');
    await seen('Анна: принят 1 ответ. Часть 1 из 2 повреждена');
  });

  test('of which every part is no base64 is no file of answers', async () => {
    await choose(withParts('!'));
    await act(() => vi.waitFor(() => expect(readRescued).toHaveBeenCalled()));
  });

  test('of another school is refused with what to do, and can be loaded again', async () => {
    vi.mocked(call).mockRejectedValue(unreadable);
    await choose(encrypted);
    await seen('Загрузить');
    await press('Загрузить');
    await seen(message);
    expect(words()).toContain('Загрузить');
    await choose('{}');
    await seen('В файле 2 ответа на этот тест.');
    expect(words()).not.toContain(message);
  });
});
