import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { getReceiptKeys, rotateReceiptKey, type ReceiptKey } from '#contract/receipts.ts';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { ReceiptKeysModal } from './ReceiptKeysModal.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({ useRouter: () => undefined }));

const key = (id: string, madeAt: string, retiredAt: string | null): ReceiptKey => ({
  id,
  publicKey: '',
  madeAt,
  retiredAt,
});
const PRESENT = key('present-key1', '2026-05-21T07:42:00.000Z', null);
const FORMER = key('former-key-1', '2025-09-01T09:00:00.000Z', PRESENT.madeAt);

/** What the server has published, and what it answers to a rotation. */
let published: ReceiptKey[];
let rotate: () => Promise<unknown>;

beforeEach(() => {
  published = [PRESENT, FORMER];
  rotate = async () => {
    published = [
      key('new-key-1234', '2026-05-22T07:42:00.000Z', null),
      { ...PRESENT, retiredAt: '2026-05-22T07:42:00.000Z' },
      FORMER,
    ];
    return { keyId: 'new-key-1234' };
  };
  vi.mocked(call)
    .mockReset()
    .mockImplementation(async (route: Route) =>
      route === getReceiptKeys ? { keys: published } : rotate(),
    );
});

const words = () => document.body.textContent.replaceAll('\u00A0', ' ');
const seen = (text: string) => waitForShown(() => expect(words()).toContain(text));
const press = (label: string) =>
  click([...document.querySelectorAll('button')].find((one) => one.textContent === label));
const rotations = () => vi.mocked(call).mock.calls.filter(([route]) => route === rotateReceiptKey);

async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const device = {
    serverNow: () => Date.parse('2026-05-22T08:00:00.000Z'),
    timeZone: 'Europe/Moscow',
  } as DeviceServices;
  await render(
    <DeviceContext value={device}>
      <QueryClientProvider client={client}>
        <ReceiptKeysModal opened onClose={() => undefined} />
      </QueryClientProvider>
    </DeviceContext>,
  );
}

test('the present key and the former ones are named with their dates', async () => {
  await open();
  await seen('Нынешний ключpresent-key1');
  expect(words()).toContain('Подписывает с21 мая, 10:42');
  expect(words()).toContain('former-key-11 сентября 2025 – 21 мая');
});

test('the key is changed after a confirmation that says what happens', async () => {
  await open();
  await seen('present-key1');
  await press('Сменить ключ квитанций');
  expect(words()).toContain('Выданные квитанции останутся действительны.');
  await press('Оставить прежний');
  expect(rotations()).toEqual([]);
  await press('Сменить ключ квитанций');
  await press('Сменить ключ');
  await seen('Ключ сменён. Новые квитанции подписывает ключ new-key-1234.');
  await seen('Нынешний ключnew-key-1234');
  expect(words()).toContain('present-key121 мая – сегодня');
  expect(words()).not.toContain('Сменить ключ квитанций?');
  expect(rotations()).toHaveLength(1);
});

test('a failure stays in the confirmation in words, and the key that the server has is shown', async () => {
  rotate = async () => {
    published = [key('other-key-12', '2026-05-22T07:59:00.000Z', null), FORMER];
    throw new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' });
  };
  await open();
  await seen('present-key1');
  await press('Сменить ключ квитанций');
  await press('Сменить ключ');
  await waitForShown(() =>
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/сервер|сети|связ/i),
  );
  await seen('Нынешний ключother-key-12');
  expect(words()).not.toContain('Ключ сменён');
});
