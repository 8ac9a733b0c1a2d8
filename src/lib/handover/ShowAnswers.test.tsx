import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { splitScan } from '#domain/handover.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { QrSeries } from '#app/lib/qr-series/QrSeries.tsx';
import { QrSeriesCamera } from '#app/lib/qr-series/QrSeriesCamera.tsx';
import { MAX_SERIES_BYTES } from '#app/lib/qr-series/series-frame.ts';
import type { Handover, Handovers } from '#app/outbox/handover.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { ShowAnswers } from './ShowAnswers.tsx';

vi.mock('#app/lib/qr-series/QrSeries.tsx', () => ({ QrSeries: vi.fn(() => null) }));
vi.mock('#app/lib/qr-series/QrSeriesCamera.tsx', () => ({ QrSeriesCamera: vi.fn(() => null) }));
beforeEach(() => vi.clearAllMocks());

const ANNA = '00000000-0000-7000-8000-000000000001';
const handover: Handover = {
  owner: ANNA,
  parts: [Uint8Array.from([1, 2, 3])],
  portions: 1,
  operations: 2,
  files: 0,
  isWhole: true,
};

async function open(make: Handovers['make'], apply: Handovers['apply'] = async () => null) {
  const outbox = { handovers: async () => ({ make, apply }) };
  const { container } = await render(
    <DeviceContext value={{ outbox } as unknown as DeviceServices}>
      <ShowAnswers onClose={() => undefined} />
    </DeviceContext>,
  );
  const press = (label: string) =>
    click([...document.querySelectorAll('button')].find((one) => one.textContent === label));
  return { container, press };
}

const seen = (words: string) =>
  waitForShown(() => expect(document.body.textContent.replaceAll('\u00A0', ' ')).toContain(words));
const shown = () => vi.mocked(QrSeries).mock.lastCall?.[0].bytes;
const read = (bytes: number[]) =>
  act(async () => vi.mocked(QrSeriesCamera).mock.lastCall?.[0].onBytes(Uint8Array.from(bytes)));

test('the codes contain the owner and the encrypted answers', async () => {
  await open(async () => handover);
  await seen('Преподаватель открывает «Проверку» этого теста');
  expect(splitScan(shown() ?? new Uint8Array())).toEqual({
    owner: ANNA,
    part: Uint8Array.from([1, 2, 3]),
  });
  expect(document.body.textContent).not.toContain('Фото');
});

test('photos do not come along, and it says so', async () => {
  await open(async () => ({ ...handover, files: 1 }));
  await seen('Фото и другие файлы через камеру не передаются.');
});

test.each([
  ['without a key', async () => null, 'На этом устройстве ответы не зашифровать'],
  [
    'with files alone',
    async () => ({ ...handover, portions: 0, files: 1 }),
    'Осталось отправить только файлы',
  ],
  [
    'with more than one part',
    async () => ({ ...handover, portions: 2 }),
    'Ответов слишком много для камеры.',
  ],
  [
    'with a part that is too big',
    async () => ({ ...handover, parts: [new Uint8Array(MAX_SERIES_BYTES)] }),
    'Ответов слишком много для камеры.',
  ],
  ['when the device fails', () => Promise.reject(new Error('disk')), 'Ответы не прочитать'],
])('%s there are no codes, and it says what to do', async (_, make, words) => {
  await open(make);
  await seen(words);
  expect(QrSeries).not.toHaveBeenCalled();
});

test('the receipts that come back are stored, and others are recognised', async () => {
  const apply = vi.fn<Handovers['apply']>().mockResolvedValueOnce(null);
  const { press } = await open(async () => handover, apply);
  await seen('Прочитать подтверждение');
  await press('Прочитать подтверждение');
  await read([7]);
  await seen('Это подтверждение не для ваших ответов.');
  expect(vi.mocked(QrSeriesCamera).mock.lastCall?.[0].paused).toBe(true);
  await press('Прочитать ещё раз');
  expect(vi.mocked(QrSeriesCamera).mock.lastCall?.[0].paused).toBe(false);
  apply.mockRejectedValueOnce(new Error('disk'));
  await read([8]);
  await seen('Подтверждение не сохранилось');
  apply.mockResolvedValueOnce({ receipts: 2 });
  await read([9]);
  await seen('Сервер школы получил ответы.');
  expect(apply.mock.calls).toEqual([7, 8, 9].map((byte) => [Uint8Array.from([byte])]));
});
