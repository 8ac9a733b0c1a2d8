import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReceiptsFile } from '#contract/handover.ts';
import { RECEIPTS_FORMAT } from '#contract/limits.ts';
import { splitScan } from '#domain/handover.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { QrSeries } from '#app/lib/qr-series/QrSeries.tsx';
import { QrSeriesCamera } from '#app/lib/qr-series/QrSeriesCamera.tsx';
import { MAX_SERIES_BYTES } from '#app/lib/qr-series/series-frame.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import type { Handover, Handovers } from '#app/outbox/handover.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { ShowAnswers } from './ShowAnswers.tsx';

vi.mock('#app/lib/qr-series/QrSeries.tsx', () => ({ QrSeries: vi.fn(() => null) }));
vi.mock('#app/lib/qr-series/QrSeriesCamera.tsx', () => ({ QrSeriesCamera: vi.fn(() => null) }));
beforeEach(() => {
  vi.clearAllMocks();
  unsent = 0;
});
afterEach(() => localStorage.clear());

const ANNA = '00000000-0000-7000-8000-000000000001';
const handover: Handover = {
  owner: ANNA,
  parts: [Uint8Array.from([1, 2, 3])],
  portions: 1,
  operations: 2,
  files: 0,
  isWhole: true,
};

/** Operations that wait on the device after a confirmation. */
let unsent: number;

async function open(
  make: Handovers['make'],
  apply: Handovers['apply'] = async () => null,
  isSignedIn = true,
) {
  const outbox = { handovers: async () => ({ make, apply }), unsentCount: async () => unsent };
  const session = createSessionStore(localStorage);
  const signIn = () =>
    session.signIn({
      token: 'secret',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      user: { userId: ANNA, userName: 'Анна', email: 'a@school.test', role: 0, isAdmin: false },
    });
  if (isSignedIn) signIn();
  const { container } = await render(
    <SessionContext value={session}>
      <DeviceContext value={{ outbox } as unknown as DeviceServices}>
        <ShowAnswers onClose={() => undefined} />
      </DeviceContext>
    </SessionContext>,
  );
  const press = (label: string) =>
    click([...document.querySelectorAll('button')].find((one) => one.textContent === label));
  return {
    container,
    press,
    signIn: () => act(async () => signIn()),
    signOut: () => act(async () => session.end('expired')),
  };
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

test('until the codes are made it says that they are', async () => {
  await open(() => new Promise(() => undefined));
  await seen('Готовим ответы…');
});

test('photos do not come along, are not even read, and it says so', async () => {
  const make = vi.fn<Handovers['make']>(async () => ({ ...handover, files: 1 }));
  await open(make);
  await seen('Фото и другие файлы через камеру не передаются.');
  expect(make.mock.calls).toEqual([['withoutFiles']]);
});

test.each([
  ['without a key', async () => null, 'На этом устройстве ответы не зашифровать'],
  [
    'with files alone',
    async () => ({ ...handover, portions: 0, files: 1 }),
    'Осталось отправить только файлы',
  ],
  [
    'with refused answers alone',
    async () => ({ ...handover, parts: [], portions: 0, operations: 0, isWhole: false }),
    'оставшиеся ответы сервер не принял. Они на этом устройстве: сохраните их в файл и покажите преподавателю.',
  ],
  [
    'with answers that have just left',
    async () => ({ ...handover, parts: [], portions: 0, operations: 0 }),
    'Неотправленных ответов здесь нет.',
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
  await seen('Это подтверждение не для ваших ответов, или оно повреждено.');
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

/** Picks a file on the screen that reads a confirmation. */
const pick = (content: string | Uint8Array<ArrayBuffer>) =>
  act(async () => {
    const input = document.querySelector('input[type=file]');
    const file = new File([content], 'Подтверждение.json');
    Object.defineProperty(input, 'files', { value: [file], configurable: true });
    Object.defineProperty(input, 'value', { value: '', writable: true, configurable: true });
    input?.dispatchEvent(new Event('change', { bubbles: true }));
  });

const confirmation = (receipts: string[], changes: object = {}): string => {
  const file: ReceiptsFile = { format: RECEIPTS_FORMAT, version: 1, receipts };
  return JSON.stringify({ ...file, ...changes });
};

test('a file of the teacher brings what the camera would bring, each part of it', async () => {
  const apply = vi.fn<Handovers['apply']>(async () => ({ receipts: 1 }));
  const { press } = await open(async () => handover, apply);
  await seen('Прочитать подтверждение');
  await press('Прочитать подтверждение');
  await seen('Если камеры нет или она запрещена, попросите файл с подтверждением.');
  await pick(`\uFEFF${confirmation(['AQI=', 'Aw=='])}`);
  await seen('Сервер школы получил ответы.');
  expect(apply.mock.calls).toEqual([[1, 2], [3]].map((bytes) => [Uint8Array.from(bytes)]));
});

test.each([
  ['that the file does not name', ['AQI=']],
  ['whose message is damaged', ['CQ==', 'AQI=']],
  ['whose message is no base64', ['Ы', 'AQI=']],
])('answers %s are not called received', async (_, given) => {
  const { press } = await open(
    async () => handover,
    async ([byte]) => (byte === 9 ? null : { receipts: 1 }),
  );
  await seen('Прочитать подтверждение');
  await press('Прочитать подтверждение');
  unsent = 1;
  await pick(confirmation(given));
  await seen('Подтверждение принято, но оно не обо всех ответах.');
  expect(document.body.textContent).not.toContain('Сервер школы получил');
});

test.each([
  ['another file', 'Сочинение'],
  ['a file of answers', confirmation(['AQI='], { format: 'exam-room-handover' })],
  ['a later version', confirmation(['AQI='], { version: 2 })],
  ['no messages', confirmation([])],
  ['a message that is no base64', confirmation(['Ы'])],
  ['a file that was cut off', confirmation(['AQI=']).slice(0, -5)],
  ['more messages than a handover has', confirmation(Array.from({ length: 1_001 }, () => ''))],
  ['a file that is too big', `${confirmation(['AQI='])}${' '.repeat(4 * 1024 * 1024)}`],
])('%s is refused, and nothing is applied', async (_, content) => {
  const apply = vi.fn<Handovers['apply']>(async () => ({ receipts: 1 }));
  const { press } = await open(async () => handover, apply);
  await seen('Прочитать подтверждение');
  await press('Прочитать подтверждение');
  await pick(content);
  await seen('Это не файл с подтверждением, или он повреждён.');
  expect(apply).not.toHaveBeenCalled();
});

test('the confirmation of another person is refused, and the right one can be picked afterwards', async () => {
  const apply = vi.fn<Handovers['apply']>(async ([byte]) => (byte === 9 ? null : { receipts: 1 }));
  const { press } = await open(async () => handover, apply);
  await seen('Прочитать подтверждение');
  await press('Прочитать подтверждение');
  await pick(confirmation(['CQ==', 'CQE=']));
  await seen('Это подтверждение не для ваших ответов, или оно повреждено.');
  await pick(confirmation(['AQI=']));
  await seen('Сервер школы получил ответы.');
});

test('answers that left as a file are confirmed here, too', async () => {
  const { press } = await open(async () => ({ ...handover, portions: 2 }));
  await seen('Ответов слишком много для камеры.');
  await press('Прочитать подтверждение');
  await seen('Выбрать файл с подтверждением');
});

test('without a key there is no confirmation to read', async () => {
  await open(async () => null);
  await seen('На этом устройстве ответы не зашифровать');
  expect(document.body.textContent).not.toContain('Прочитать подтверждение');
});

test('a sign-in that ended is named, with what to do, and the next one brings the codes', async () => {
  const make = vi.fn<Handovers['make']>(async () => handover);
  const { signIn, signOut } = await open(make, undefined, false);
  await seen('Вход закончился, поэтому через камеру ответы не передать. Войдите снова');
  expect(document.body.textContent).not.toMatch(/не зашифровать|Прочитать подтверждение/);
  await signIn();
  await seen('Преподаватель открывает «Проверку» этого теста');
  await signOut();
  await seen('Преподаватель открывает «Проверку» этого теста');
  expect(document.body.textContent).not.toContain('Вход закончился');
  expect(make).toHaveBeenCalledOnce();
});

test('a confirmation that is read after the sign-in ended is not called damaged', async () => {
  const apply = vi.fn<Handovers['apply']>(async () => null);
  const { press, signOut } = await open(async () => handover, apply);
  await seen('Прочитать подтверждение');
  await press('Прочитать подтверждение');
  await signOut();
  await read([7]);
  await seen('Вход закончился, поэтому подтверждение не прочитать. Войдите снова');
  expect(document.body.textContent).not.toContain('повреждено');
});
