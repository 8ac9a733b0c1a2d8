import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { PRODUCT } from '#contract/health.ts';
import type { AttemptReceipt } from '#contract/receipts.ts';
import { MAX_RECEIPT_CHARACTERS, packDocument } from '#domain/receipt.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import type { SessionStore } from '#app/lib/session/session-store.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { RECEIPT_FACTS, signReceipt } from '#tests/signed-receipt.ts';
import { PROBLEM_MESSAGES, TOO_BIG } from './messages.ts';
import { VerifyPage } from './VerifyPage.tsx';

const { key, document: receipt, ...signed } = signReceipt();
const publish = (keys: unknown[]) =>
  localStorage.setItem('receipt-keys', JSON.stringify({ product: PRODUCT, keys }));
/** The server publishes these. */
const answerWith = (keys: unknown[]) =>
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ product: PRODUCT, keys })));

beforeEach(() => {
  // No network: the keys are those of an earlier visit.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  publish([key]);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function openPage(hash = '', isSignedIn = false) {
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as unknown as DeviceServices;
  const current = isSignedIn ? { user: {} } : null;
  const store = { current: () => current, subscribe: () => () => {} } as unknown as SessionStore;
  const { container } = await render(
    <DeviceContext value={device}>
      <SessionContext value={store}>
        <QueryClientProvider client={new QueryClient()}>
          <VerifyPage hash={hash} />
        </QueryClientProvider>
      </SessionContext>
    </DeviceContext>,
  );
  const status = () => container.querySelector('[role=status]')?.textContent ?? '';
  return { container, status };
}

async function type(container: HTMLElement, text: string) {
  const field = container.querySelector('textarea');
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
  await act(async () => {
    set?.call(field, text);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

async function paste(container: HTMLElement, text: string) {
  await type(container, text);
  await click([...container.querySelectorAll('button')].find((b) => b.textContent === 'Проверить'));
}

async function pick(container: HTMLElement, text: string) {
  const input = container.querySelector('input[type=file]');
  const file = new File([text], 'квитанция.txt', { type: 'text/plain' });
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  await act(async () => {
    input?.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

test('the address of a QR code is checked at once, without a network', async () => {
  const { status } = await openPage(packDocument(receipt));
  await waitForShown(() => expect(status()).toContain('Квитанция подлинная'));
  expect(status()).toContain('Мария Ёлкина');
  expect(status()).toContain('Кто сидел за устройством');
});

test('a pasted receipt is genuine, and one changed character is reported', async () => {
  const { container, status } = await openPage();
  await paste(container, receipt);
  await waitForShown(() => expect(status()).toContain('Квитанция подлинная'));
  await paste(container, receipt.replace('Ответов: 9', 'Ответов: 8'));
  await waitForShown(() => expect(status()).toBe(PROBLEM_MESSAGES.changed));
});

test('a file is checked, and one that is too big is not read', async () => {
  const { container, status } = await openPage();
  await pick(container, receipt);
  await waitForShown(() => expect(status()).toContain('Квитанция подлинная'));
  await pick(container, 'а'.repeat(3 * MAX_RECEIPT_CHARACTERS));
  await waitForShown(() => expect(status()).toBe(TOO_BIG));
});

test('after a file that is too big another text has its verdict alone', async () => {
  const { container, status } = await openPage();
  await pick(container, 'а'.repeat(3 * MAX_RECEIPT_CHARACTERS));
  await waitForShown(() => expect(status()).toBe(TOO_BIG));
  await type(container, receipt);
  expect(status()).toBe('');
  await pick(container, 'а'.repeat(3 * MAX_RECEIPT_CHARACTERS));
  await waitForShown(() => expect(status()).toBe(TOO_BIG));
  await paste(container, receipt);
  await waitForShown(() => expect(status()).toContain('Квитанция подлинная'));
  expect(status()).not.toContain(TOO_BIG);
});

/** The keys are awaited until the returned function ends it: then there is no network. */
function awaitKeys() {
  let end: (cause: Error) => void;
  const reply = new Promise<Response>((_, reject) => (end = reject));
  vi.stubGlobal('fetch', () => reply);
  return () => act(async () => end(new TypeError('offline')));
}

test('a check that waits for the keys says so, also that of a QR code', async () => {
  const arrive = awaitKeys();
  const { status } = await openPage(packDocument(receipt));
  expect(status()).toBe('Проверяем…');
  await arrive();
  await waitForShown(() => expect(status()).toContain('Квитанция подлинная'));
  expect(status()).not.toContain('Проверяем…');
});

test('a text that changed while the keys were awaited gets no verdict of the former one', async () => {
  const arrive = awaitKeys();
  const { container, status } = await openPage();
  await paste(container, receipt);
  const changed = receipt.replace('Ответов: 9', 'Ответов: 8');
  await type(container, changed);
  expect(status()).toBe('');
  await arrive();
  await act(async () => {});
  expect(status()).toBe('');
  await paste(container, changed);
  await waitForShown(() => expect(status()).toBe(PROBLEM_MESSAGES.changed));
});

test('with a full storage the keys that arrive serve the check', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  answerWith([key]);
  const { status } = await openPage(packDocument(receipt));
  await waitForShown(() => expect(status()).toContain('Квитанция подлинная'));
});

test('keys of before a restore of the server stay known, with the day of their end', async () => {
  const other = signReceipt('other').key;
  const retired = { ...key, retiredAt: '2026-03-02T06:00:00.000Z' };
  publish([retired, ...Array.from({ length: 80 }, (_, n) => ({ ...other, id: `former-${n}` }))]);
  answerWith([other, key]);
  const { status } = await openPage(packDocument(receipt));
  await waitForShown(() => expect(status()).toBe(PROBLEM_MESSAGES.retiredKey));
  answerWith([other]);
  const later = await openPage(packDocument(receipt));
  await waitForShown(() => expect(later.status()).toBe(PROBLEM_MESSAGES.retiredKey));
  const { keys } = JSON.parse(localStorage.getItem('receipt-keys') ?? '');
  expect(keys.slice(0, 2)).toEqual([other, retired]);
  expect(keys).toHaveLength(51);
});

test.each([
  ['another school’s receipt', () => publish([signReceipt('other').key]), 'unknownKey'],
  ['a device without keys', () => localStorage.clear(), 'noKeys'],
  ['unreadable stored keys', () => localStorage.setItem('receipt-keys', '{'), 'noKeys'],
] as const)('%s has its own sentence', async (_, prepare, kind) => {
  prepare();
  const { status } = await openPage(packDocument(receipt));
  await waitForShown(() => expect(status()).toBe(PROBLEM_MESSAGES[kind]));
});

test('a key that a restore of the server lost is named among the causes of an unknown one', () => {
  expect(PROBLEM_MESSAGES.unknownKey).toMatch(/другая школа.*ключ сменили.*восстановили из копии/);
});

test('an address that is no receipt is reported', async () => {
  const { status } = await openPage('%%%');
  await waitForShown(() => expect(status()).toBe(PROBLEM_MESSAGES.notReceipt));
});

describe('a genuine receipt and its attempt', () => {
  const current: AttemptReceipt = {
    ...signed,
    keyId: key.id,
    code: 'HK4M7TX2',
    present: { answersDigest: RECEIPT_FACTS.answersDigest, points: RECEIPT_FACTS.points },
    log: null,
  };
  const addresses: string[] = [];

  /** Asks the server, whose reply about the attempt is this. */
  async function compare(reply: AttemptReceipt | null | ErrorCode) {
    const { container, status } = await openPage(packDocument(receipt), true);
    await waitForShown(() => expect(status()).toContain('Сравнить с попыткой'));
    vi.stubGlobal('fetch', (address: string) => {
      addresses.push(address);
      if (typeof reply !== 'string') return Promise.resolve(Response.json({ receipt: reply }));
      const body = { code: reply, message: ERRORS[reply].message, requestId: 'r1' };
      return Promise.resolve(Response.json(body, { status: ERRORS[reply].status }));
    });
    const buttons = [...container.querySelectorAll('button')];
    await click(buttons.find((one) => one.textContent === 'Сравнить с попыткой'));
    return status;
  }

  test('agree', async () => {
    const status = await compare(current);
    await waitForShown(() => expect(status()).toContain('ни ответы, ни баллы не менялись'));
    expect(addresses.at(-1)).toContain(`/api/attempts/${RECEIPT_FACTS.attemptId}/receipt`);
    expect(status()).not.toContain('другая квитанция');
  });

  test('differ in what changed since', async () => {
    const present = { answersDigest: 'other', points: '8 из 10' };
    const status = await compare({ ...current, present });
    await waitForShown(() =>
      expect(status()).toContain('изменились ответы и баллы: было 7 из 10, стало 8 из 10'),
    );
  });

  test('that has another receipt by now names its code', async () => {
    const status = await compare({ ...current, text: signed.text.replace('7 из 10', '—') });
    await waitForShown(() => expect(status()).toContain('другая квитанция, с кодом HK4M-7TX2'));
  });

  test.each([
    [null, 'Квитанции этой попытки на сервере сейчас нет'],
    ['NOT_FOUND', 'эту попытку видят только её ученик и его преподаватель'],
    ['ATTEMPT_RUNNING', ERRORS.ATTEMPT_RUNNING.message],
  ] as const)('cannot be compared: %s', async (reply, sentence) => {
    const status = await compare(reply);
    await waitForShown(() => expect(status()).toContain(sentence));
  });

  test('are not compared by a visitor', async () => {
    const { status } = await openPage(packDocument(receipt));
    await waitForShown(() => expect(status()).toContain('Квитанция подлинная'));
    expect(status()).not.toContain('Сравнить');
  });
});
