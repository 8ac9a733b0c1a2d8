import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GradingEntry } from '#contract/grading.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { openDrafts, type GradeDrafts } from './drafts.ts';
import { GradeForm, type GradeFormProps } from './GradeForm.tsx';
import { itemOf } from './queue.ts';
import { pendingEntry } from './test-entry.ts';
import type { FailedGrade } from './use-failures.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const entry = pendingEntry({});

let drafts: GradeDrafts;
let rendered: Rendered;
let form: (shown?: GradingEntry, failed?: FailedGrade[]) => ReactNode;
let reply: (value: { score: number; replaced: null }) => void;
const onSaved = vi.fn<GradeFormProps['onSaved']>();

beforeEach(async () => {
  drafts = openDrafts({ read: () => null, save: () => true, clear: () => undefined });
  drafts.set(itemOf(entry), {
    points: '3',
    comment: 'Начало',
    reason: '',
    operationId: entry.operationId,
  });
  vi.mocked(call).mockReturnValue(
    new Promise((resolve) => {
      reply = resolve;
    }),
  );
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices;
  const client = new QueryClient();
  form = (shown = entry, failed = []) => (
    <DeviceContext value={device}>
      <QueryClientProvider client={client}>
        <GradeForm
          entry={shown}
          drafts={drafts}
          failures={{ all: failed, add: () => undefined, drop: () => undefined }}
          isLast={false}
          takesFocus={false}
          onSaved={onSaved}
        />
      </QueryClientProvider>
    </DeviceContext>
  );
  rendered = await render(form());
});
afterEach(async () => {
  await rendered.unmount();
  vi.clearAllMocks();
});

const save = () =>
  act(async () => {
    rendered.container
      .querySelector('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
const field = (name: string) =>
  rendered.container.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`);
const type = (name: string, value: string) =>
  act(async () => {
    const input = field(name);
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, value);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const noteOf = (name: string) =>
  document.getElementById(field(name)?.getAttribute('aria-describedby') ?? '')?.textContent;
const arrive = () => act(async () => reply({ score: 3, replaced: null }));

test('a saved grade drops its draft and allows the next answer', async () => {
  await save();
  await arrive();
  expect(onSaved).toHaveBeenCalledWith(
    expect.objectContaining({ points: 3, comment: 'Начало', gradedBy: 'person' }),
    null,
    true,
  );
  expect(drafts.has(itemOf(entry))).toBe(false);
});

test('input typed while a grade is being saved stays and is not treated as saved', async () => {
  await save();
  const comment = field('comment');
  await type('comment', 'Начало и конец');
  await arrive();
  expect(onSaved).toHaveBeenCalledWith(
    expect.objectContaining({ points: 3, comment: 'Начало' }),
    null,
    false,
  );
  expect(drafts.get(itemOf(entry))?.comment).toBe('Начало и конец');
  expect(comment?.value).toBe('Начало и конец');
});

test('a grade saved after its answer was closed does not navigate back', async () => {
  await save();
  await rendered.show(null);
  await arrive();
  expect(onSaved).toHaveBeenCalledWith(expect.objectContaining({ points: 3 }), null, false);
  expect(drafts.has(itemOf(entry))).toBe(false);
});

test('wrong points are not sent and are shown at their focused field', async () => {
  await type('points', '50');
  await save();
  expect(call).not.toHaveBeenCalled();
  expect(field('points')?.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field('points'));
  await type('points', '2,5');
  expect(field('points')?.getAttribute('aria-invalid')).not.toBe('true');
});

test('points by the key are changed with a reason only', async () => {
  drafts.set(itemOf(entry), undefined);
  const question = {
    ...entry.question,
    kind: 'open',
    input: 'line',
    accepted: [{ text: '9,8', share: 1 }],
    tolerance: 0,
  } as GradingEntry['question'];
  await rendered.show(null);
  await rendered.show(form({ ...entry, question }));
  await type('points', '1');
  await save();
  expect(document.activeElement).toBe(field('reason'));
  expect(noteOf('reason')).toBe('Напишите, почему балл по ключу меняется');
  await type('reason', 'Ход мысли верный');
  await save();
  expect(vi.mocked(call).mock.calls[0]?.[1]).toMatchObject({
    body: { points: 1, reason: 'Ход мысли верный' },
  });
});

test('what the server refused is shown at its field when the form is open again', async () => {
  const draft = drafts.get(itemOf(entry));
  if (!draft) throw new Error('a draft');
  const problem = { fields: new Map([['comment', 'Слишком длинно']]), rest: null };
  await rendered.show(null);
  const submitted = { entry, points: 3, draft };
  await rendered.show(form(entry, [{ item: itemOf(entry), submitted, problem, canRetry: false }]));
  expect(noteOf('comment')).toBe('Слишком длинно');
});

test('a colleague’s grade appears in an untouched form; typed input stays unchanged', async () => {
  const graded = (points: number): GradingEntry => ({ ...entry, points, gradedBy: 'person' });
  await rendered.show(form(graded(1)));
  expect(field('points')?.value).toBe('3');
  drafts.set(itemOf(entry), undefined);
  await rendered.show(null);
  await rendered.show(form(graded(1)));
  expect(field('points')?.value).toBe('1');
  await rendered.show(form(graded(2)));
  expect(field('points')?.value).toBe('2');
});
