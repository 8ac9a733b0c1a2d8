import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from '#app/api/call.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { AskPanel } from './AskPanel.tsx';
import { EMPTY_FORM, type AskForm } from './ask-form.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

let shown: Rendered;
let typed: AskForm;
const onStart = vi.fn<(count: number) => void>();
const panel = (isDisclosed: boolean, form: AskForm) => (
  <QueryClientProvider client={new QueryClient()}>
    <AskPanel
      testId="t"
      form={form}
      onChange={(next) => {
        typed = next;
      }}
      provider={{ host: 'api.one', model: 'M' }}
      isDisclosed={isDisclosed}
      onDisclosed={() => undefined}
      isWriting={false}
      onStart={onStart}
      onStop={() => undefined}
    />
  </QueryClientProvider>
);
const open = async (isDisclosed: boolean, form = EMPTY_FORM) => {
  onStart.mockReset();
  vi.mocked(call).mockClear();
  shown = await render(panel(isDisclosed, form));
};
afterEach(() => shown.unmount());

type Field = HTMLInputElement | HTMLTextAreaElement;
const field = (name: string) => shown.container.querySelector<Field>(`[name=${name}]`);
const type = (name: string, value: string) =>
  act(async () => {
    const input = field(name);
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, value);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const submit = () => click(shown.container.querySelector('button[type=submit]'));
const focused = () => document.activeElement;

test('a request requires a topic or a text, and typed values are reported', async () => {
  vi.mocked(call).mockReturnValue(new Promise(() => undefined));
  await open(true);
  await submit();
  expect(focused()).toBe(field('topic'));
  expect(field('topic')?.getAttribute('aria-invalid')).toBe('true');
  await type('source', 'Сила равна');
  expect(field('topic')?.getAttribute('aria-invalid')).not.toBe('true');
  await click(field('kinds'));
  await type('count', ' 7 ');
  await submit();
  expect(shown.container.textContent).toContain('Выберите хотя бы один вид вопросов');
  expect(focused()).toBe(field('kinds'));
  await click(field('kinds'));
  await submit();
  expect(onStart).toHaveBeenCalledExactlyOnceWith(7);
  expect(typed).toEqual({ ...EMPTY_FORM, source: 'Сила равна', count: ' 7 ' });
});

test('nothing is requested until the disclosure is acknowledged; its button gets the focus', async () => {
  vi.mocked(call).mockReturnValue(new Promise(() => undefined));
  await open(false, { ...EMPTY_FORM, topic: 'Сила' });
  await submit();
  expect(onStart).not.toHaveBeenCalled();
  expect(focused()?.textContent).toBe('Понятно');
});

test('an untouched form uses the topic of the test; a restored one stays unchanged', async () => {
  const settings = { theme: 'physics', difficulty: 'easy', topic: 'Динамика' };
  vi.mocked(call).mockResolvedValue(settings);
  await open(true);
  await act(() => vi.waitFor(() => expect(typed.topic).toBe('Динамика')));
  expect(field('topic')?.value).toBe('Динамика');
  await shown.unmount();
  await open(true, { ...EMPTY_FORM, topic: 'Сила' });
  await act(() => vi.waitFor(() => expect(vi.mocked(call)).toHaveBeenCalledOnce()));
  expect(typed).toEqual({ ...EMPTY_FORM, topic: 'Сила' });
});
