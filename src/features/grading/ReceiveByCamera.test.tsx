import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { joinScan } from '#domain/handover.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { saveFile } from '#app/lib/files.ts';
import { QrSeries } from '#app/lib/qr-series/QrSeries.tsx';
import { QrSeriesCamera } from '#app/lib/qr-series/QrSeriesCamera.tsx';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { ReceiveByCamera } from './ReceiveByCamera.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('#app/lib/files.ts', () => ({ saveFile: vi.fn() }));
vi.mock('#app/lib/qr-series/QrSeries.tsx', () => ({ QrSeries: vi.fn(() => null) }));
vi.mock('#app/lib/qr-series/QrSeriesCamera.tsx', () => ({ QrSeriesCamera: vi.fn(() => null) }));

const [ANNA, BORIS] = [
  '00000000-0000-7000-8000-000000000001',
  '00000000-0000-7000-8000-000000000002',
];
const reply = (userName: string) => ({
  userName,
  begins: 0,
  heldBegins: 0,
  answers: 3,
  held: 0,
  finishes: 1,
  heldFinishes: 0,
  stray: 0,
  strayFinishes: 0,
  files: 0,
  problems: [],
  unmade: 0,
  receipts: 'AQI=',
});

beforeEach(async () => {
  vi.clearAllMocks();
  vi.mocked(call).mockReset();
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <ReceiveByCamera onClose={() => undefined} />
    </QueryClientProvider>,
  );
});

const seen = (words: string) =>
  waitForShown(() => expect(document.body.textContent.replaceAll('\u00A0', ' ')).toContain(words));
const camera = () => vi.mocked(QrSeriesCamera).mock.lastCall?.[0];
const read = (bytes: Uint8Array) => act(async () => camera()?.onBytes(bytes));
const press = (label: string) =>
  click([...document.querySelectorAll('button')].find((one) => one.textContent === label));

test('one student after another is read, and each gets the receipts', async () => {
  vi.mocked(call).mockResolvedValueOnce(reply('Анна'));
  expect(camera()?.paused).toBe(false);
  await read(joinScan(ANNA, Uint8Array.from([5])));
  await seen('Анна: принято 3 ответа, завершение теста.');
  expect(camera()?.paused).toBe(true);
  expect(vi.mocked(QrSeries).mock.lastCall?.[0].bytes).toEqual(Uint8Array.from([1, 2]));
  expect(vi.mocked(call).mock.calls[0]?.[1]).toEqual({
    params: { owner: ANNA },
    bytes: Uint8Array.from([5]),
  });
  await press('Сохранить подтверждение');
  const [blob, name] = vi.mocked(saveFile).mock.lastCall ?? [];
  expect(name).toBe('Подтверждение, Анна.json');
  expect(await blob?.text()).toContain('"receipts":["AQI="]');
  await press('Следующий ученик');
  await waitForShown(() => expect(camera()?.paused).toBe(false));
  vi.mocked(call).mockResolvedValueOnce(reply('Борис'));
  await read(joinScan(BORIS, Uint8Array.from([6])));
  await seen('Всего учеников: 2');
});

test('while the server has not answered, the page says that the answers are being sent', async () => {
  vi.mocked(call).mockReturnValueOnce(new Promise(() => undefined));
  await read(joinScan(ANNA, Uint8Array.from([5])));
  await seen('Передаём ответы на сервер…');
});

test('what the server could not take now is sent again without another reading', async () => {
  vi.mocked(call).mockResolvedValueOnce({ ...reply('Анна'), unmade: 1 });
  const scan = joinScan(ANNA, Uint8Array.from([5]));
  await read(scan);
  await seen('Сервер принял не всё.');
  vi.mocked(call).mockResolvedValueOnce(reply('Анна'));
  await press('Повторить');
  await waitForShown(() => expect(document.body.textContent).not.toContain('Сервер принял не всё'));
  expect(vi.mocked(call).mock.calls.map(([, given]) => given)).toEqual([
    { params: { owner: ANNA }, bytes: Uint8Array.from([5]) },
    { params: { owner: ANNA }, bytes: Uint8Array.from([5]) },
  ]);
});

test('codes of something else, and a refusal of the server, say what to do', async () => {
  await read(Uint8Array.from([1, 2, 3]));
  await seen('Это не ответы ученика.');
  expect(call).not.toHaveBeenCalled();
  await press('Прочитать ещё раз');
  const failure = { kind: 'refused', method: 'POST', url: '/', status: 422 } as const;
  const message = 'Эти ответы не открываются';
  vi.mocked(call).mockRejectedValue(
    new ApiFailure({ ...failure, code: 'HANDOVER_UNREADABLE', message }),
  );
  await read(joinScan(ANNA, Uint8Array.from([5])));
  await seen(message);
});

const isPraised = () => document.querySelector('[role=status] .tabler-icon-circle-check') !== null;
const NONE = { answers: 0, finishes: 0 };
const DELETED = ['Попытка удалена преподавателем'];

test.each([
  ['all was accepted', {}, 'принято 3 ответа, завершение теста.', true],
  ['a part was refused', { problems: DELETED }, 'Попытка удалена преподавателем.', false],
  ['a part is not made yet', { unmade: 1 }, 'Сервер принял не всё.', false],
  [
    'the begin waits for the teacher',
    { heldBegins: 1, answers: 0, held: 3, finishes: 0, heldFinishes: 1 },
    'Анна: ждут вашего решения под «Поздние»: начало теста, 3 ответа, завершение теста.',
    false,
  ],
  [
    'the finish alone waits for the teacher',
    { ...NONE, heldFinishes: 1 },
    'Анна: ждёт вашего решения под «Поздние»: завершение теста.',
    false,
  ],
  [
    'the attempt is unknown',
    { ...NONE, stray: 3 },
    'сохранено под «Не дошло», но попытки на сервере нет: 3 ответа.',
    false,
  ],
  ['nothing came', NONE, 'ничего не принято.', false],
])('where %s, the sign agrees with the words', async (_, changes, words, expected) => {
  vi.mocked(call).mockResolvedValueOnce({ ...reply('Анна'), ...changes });
  await read(joinScan(ANNA, Uint8Array.from([5])));
  await seen(words);
  expect(isPraised()).toBe(expected);
});

test('no receipts are shown when none of a student’s answers was accepted', async () => {
  vi.mocked(call).mockResolvedValueOnce({ ...reply('Анна'), ...NONE, problems: DELETED });
  await read(joinScan(ANNA, Uint8Array.from([5])));
  await seen('Анна: ничего не принято. Попытка удалена преподавателем.');
  expect(document.body.textContent).not.toMatch(/Подтверждение:|Сохранить подтверждение/);
  expect(QrSeries).not.toHaveBeenCalled();
  await press('Следующий ученик');
  await waitForShown(() => expect(camera()?.paused).toBe(false));
  vi.mocked(call).mockResolvedValueOnce(reply('Борис'));
  await read(joinScan(BORIS, Uint8Array.from([6])));
  await seen('Борис: принято 3 ответа, завершение теста.');
  expect(document.body.textContent).not.toContain('Всего учеников');
});
