import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ImportResult, ImportRow } from '#contract/admin.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { ImportRun } from './ImportRun.tsx';
import { judgeRows } from './judge.ts';
import { forgetSavedTable, readSavedTable } from './saved-table.ts';
import { SavedTableNote } from './SavedTableNote.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({
  useBlocker: () => ({ status: 'idle' }),
  useRouter: () => undefined,
}));

interface Sent {
  body: { key?: string; rows: ImportRow[] };
}

const OWN = '01900000-0000-7000-8000-000000000001';
let shown: Rendered;
const sent: Sent['body'][] = [];
/** Pending replies of the creations, resolved by the test. */
let answer: (body: Sent['body']) => Promise<{ results: ImportResult[] }>;

const results = ({ key, rows }: Sent['body']) => ({
  results: rows.map(({ line }): ImportResult => ({
    line,
    outcome: 'good',
    problems: [],
    userId: null,
    password: key === undefined ? null : `Pass${line}`,
  })),
});
const lost = () =>
  new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/', timedOut: true });

const people = (count: number) =>
  judgeRows(
    Array.from({ length: count }, (_, n) => ({
      line: n + 2,
      userName: `Имя ${n}`,
      email: n === 1 ? 'плохая' : `n${n}@school.ru`,
      role: '',
      password: '',
    })),
  );

const open = async (count: number) => {
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportRun
        rows={people(count)}
        note={null}
        ownId={OWN}
        onBack={() => undefined}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
};
const button = (label: string) =>
  [...shown.container.querySelectorAll('button')].find(({ textContent }) =>
    textContent?.includes(label),
  );
const words = () => shown.container.textContent;
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  answer = async (body) => results(body);
  vi.mocked(call).mockImplementation(((_route: unknown, { body }: Sent) => {
    sent.push(body);
    return body.key === undefined ? Promise.resolve(results(body)) : answer(body);
  }) as unknown as typeof call);
});
afterEach(async () => {
  forgetSavedTable();
  await shown.unmount();
  vi.useRealTimers();
});

test('5,000 rows are checked in batches, and only a page of them is rendered', async () => {
  await open(5_000);
  await pass(100);
  expect(words()).toMatch(/4\s999 можно создать, 1 с ошибками/u);
  expect(sent).toHaveLength(200);
  expect(sent.every(({ rows }) => rows.length <= 25)).toBe(true);
  expect(sent.flatMap(({ rows }) => rows).some(({ email }) => email === 'плохая')).toBe(false);
  expect(shown.container.querySelectorAll('li').length).toBeLessThanOrEqual(51);
});

test('a lost reply is retried with its key; the result shows counts and offers the passwords', async () => {
  await open(31);
  await pass(10);
  let tries = 0;
  answer = async (body) => {
    tries += 1;
    if (tries === 2) throw lost();
    return results(body);
  };
  await click(button('Создать 30 учётных записей'));
  expect(words()).toContain('Сервер не отвечает. Повторяем сами');
  await pass(1_000);
  const keys = sent.filter(({ key }) => key !== undefined).map(({ key }) => key);
  expect(keys).toHaveLength(3);
  expect(keys[1]).toBe(keys[2]);
  expect(words()).toContain('30 создано, 1 с ошибками');
  expect(words()).toContain('Пароли есть только на этой странице');
  expect(button('Скачать созданных с паролями')).toBeDefined();
  expect(button('Скачать строки с ошибками')).toBeDefined();
});

test('when stopped it shows the progress, and resumes with the rest', async () => {
  await open(76);
  await pass(10);
  let give = () => undefined as void;
  answer = (body) => new Promise((resolve) => (give = () => resolve(results(body))));
  await click(button('Создать 75 учётных записей'));
  await click(button('Остановить'));
  await act(async () => give());
  expect(words()).toContain('Остановлено: 25 из 75');
  answer = async (body) => results(body);
  await click(button('Продолжить'));
  await pass(10);
  expect(words()).toContain('75 создано, 1 с ошибками');
  expect(sent.filter(({ key }) => key !== undefined)).toHaveLength(3);
});

test('passwords created before the session ended are retained in this page for the same administrator', async () => {
  await open(3);
  await pass(0);
  await click(button('Создать'));
  await pass(0);
  await shown.unmount();
  expect(readSavedTable('somebody else')).toBeNull();
  expect(readSavedTable(OWN)?.map((row) => row.at(-1))).toEqual(['Пароль', 'Pass2', 'Pass4']);
  shown = await render(<SavedTableNote ownId={OWN} />);
  expect(words()).toContain('До этого создано: 2 учётные записи');
  await click(button('Скачать созданных с паролями'));
  expect(button('Скачать созданных с паролями')).toBeUndefined();
  expect(readSavedTable(OWN)).toBeNull();
});
