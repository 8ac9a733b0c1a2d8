import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import type { AttemptReceipt } from '#contract/receipts.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render, waitForShown } from '#app/ui/test-render.tsx';
import { RECEIPT_FACTS, signReceipt } from '#tests/signed-receipt.ts';
import { ReceiptComparison } from './ReceiptComparison.tsx';
import { ReceiptModal } from './ReceiptModal.tsx';
import { receiptQuery } from './receipt-query.ts';

vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const ID = '0192f3c8-0000-7000-8000-000000000001';
const { text, signature, key } = signReceipt();
const receipt: AttemptReceipt = {
  text,
  signature,
  keyId: key.id,
  code: 'HK4M7TX2',
  present: { answersDigest: RECEIPT_FACTS.answersDigest, points: RECEIPT_FACTS.points },
  log: null,
};

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
});
afterEach(() => vi.unstubAllGlobals());

async function show(content: ReactNode, data?: AttemptReceipt | null) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  });
  if (data !== undefined) client.setQueryData(receiptQuery(ID).queryKey, data);
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as unknown as DeviceServices;
  const { container } = await render(
    <DeviceContext value={device}>
      <QueryClientProvider client={client}>{content}</QueryClientProvider>
    </DeviceContext>,
  );
  return container;
}

const dialog = () => document.querySelector('[role=dialog]')?.textContent ?? '';

test('the dialog shows code, facts, what is not proven, and ways to take the receipt along', async () => {
  await show(<ReceiptModal attemptId={ID} onClose={() => {}} />, receipt);
  for (const shown of [
    'HK4M-7TX2',
    'Мария Ёлкина',
    'Законы Ньютона',
    'Кто сидел за устройством',
    'время завершения сообщило само устройство',
    'Скачать файл',
    'Скопировать',
    'Напечатать',
  ])
    expect(dialog()).toContain(shown);
  await waitForShown(() => expect(document.querySelector('[role=dialog] svg path')).not.toBeNull());
});

test('the dialog tells the student what changed since, and nothing else', async () => {
  await show(<ReceiptModal attemptId={ID} onClose={() => {}} />, receipt);
  expect(dialog()).not.toContain('Сравнение');
  const present = { ...receipt.present, points: '5 из 10' };
  await show(<ReceiptModal attemptId={ID} onClose={() => {}} />, { ...receipt, present });
  expect(document.body.textContent).toContain('изменились баллы: было 7 из 10, стало 5 из 10.');
});

test('without a network the dialog says that the receipt comes with it', async () => {
  await show(<ReceiptModal attemptId={ID} onClose={() => {}} />);
  await waitForShown(() =>
    expect(dialog()).toContain('Квитанция появится, когда сервер станет доступен'),
  );
});

test('of a held begin the dialog says that the teacher decides first', async () => {
  const { status, message } = ERRORS.BEGIN_HELD;
  const body = { code: 'BEGIN_HELD', message, requestId: 'r1' };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status })));
  await show(<ReceiptModal attemptId={ID} onClose={() => {}} />);
  await waitForShown(() =>
    expect(dialog()).toContain('Результат и квитанция будут после решения преподавателя.'),
  );
  expect(dialog()).not.toContain('Повторить');
});

test.each([
  [{}, true, 'с квитанции ни ответы, ни баллы не менялись.'],
  [{ points: null }, true, 'с квитанции ответы не менялись.'],
  [{ points: '—' }, true, 'изменились баллы: было 7 из 10, сейчас проверено не всё.'],
  [{ answersDigest: 'other' }, true, 'после квитанции изменились ответы.'],
  [{ points: '8 из 10' }, true, 'изменились баллы: было 7 из 10, стало 8 из 10.'],
  [{ answersDigest: 'other', points: '8 из 10' }, true, 'изменились ответы и баллы: было 7 из'],
  [{}, false, 'Журнал нарушен'],
] as const)('a grader sees: now %j, whole log %s', async (now, isWhole, sentence) => {
  const container = await show(<ReceiptComparison attemptId={ID} />, {
    ...receipt,
    present: { ...receipt.present, ...now },
    log: { isWhole, length: 3, digest: 'digest' },
  });
  expect(container.textContent).toContain('код HK4M-7TX2');
  expect(container.textContent).toContain('3 записи');
  expect(container.textContent).toContain(sentence);
});

test('before the student has opened the receipt its grader reads that there is none', async () => {
  const container = await show(
    <>
      <ReceiptComparison attemptId={ID} />
      <ReceiptModal attemptId={ID} onClose={() => {}} />
    </>,
    null,
  );
  expect(container.textContent).toContain('ученик квитанцию ещё не открывал');
  expect(dialog()).toContain('ученик квитанцию ещё не открывал');
});
