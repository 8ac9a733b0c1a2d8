import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { openDrafts, type Drafts } from './drafts.ts';
import { GradeForm, type GradeFormProps } from './GradeForm.tsx';
import { itemOf } from './queue.ts';
import { pendingEntry } from './test-entry.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const entry = pendingEntry({});

let drafts: Drafts;
let rendered: Rendered;
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
  rendered = await render(
    <DeviceContext value={device}>
      <QueryClientProvider client={new QueryClient()}>
        <GradeForm
          entry={entry}
          drafts={drafts}
          failures={{ all: [], add: () => undefined, drop: () => undefined }}
          isLast={false}
          takesFocus={false}
          onSaved={onSaved}
        />
      </QueryClientProvider>
    </DeviceContext>,
  );
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
  const comment = rendered.container.querySelector('textarea');
  await act(async () => {
    if (!comment) throw new Error('no comment');
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(
      comment,
      'Начало и конец',
    );
    comment.dispatchEvent(new Event('input', { bubbles: true }));
  });
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
