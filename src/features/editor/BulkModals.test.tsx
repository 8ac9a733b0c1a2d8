import { act, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { PointsModal, PropertiesModal } from './BulkModals.tsx';
import type { BulkChange } from './edits.ts';

vi.mock('@tanstack/react-router', () => ({ useRouter: () => undefined }));

const ids = ['1', '2'];
const onChange = vi.fn<(change: BulkChange, label: string) => void>();
const onClose = vi.fn<() => void>();
let screen: Rendered;
const open = async (modal: ReactNode) => {
  screen = await render(modal);
};
beforeEach(() => {
  onChange.mockReset();
  onClose.mockReset();
});
afterEach(() => screen.unmount());

const input = (name: string) =>
  screen.container.querySelector<HTMLInputElement>(`input[name=${name}]`);
const type = (name: string, value: string) =>
  act(async () => {
    const field = input(name);
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const submit = () => click(screen.container.querySelector('button[type=submit]'));
const isWrong = (name: string) => input(name)?.getAttribute('aria-invalid') === 'true';

test.each(['', '0', 'два', '1,234', '-1'])('%j is no number of points', async (typed) => {
  await open(<PointsModal ids={ids} onClose={onClose} onChange={onChange} />);
  await type('points', typed);
  await submit();
  expect(screen.container.textContent).toContain('Число больше нуля, не больше двух знаков');
  expect(document.activeElement).toBe(input('points'));
  expect(onChange).not.toHaveBeenCalled();
});

test('points are typed with a comma', async () => {
  await open(<PointsModal ids={ids} onClose={onClose} onChange={onChange} />);
  await type('points', ' 1,5 ');
  await submit();
  expect(onChange).toHaveBeenCalledWith({ points: 1.5 }, 'Баллы: 2 вопросов');
  expect(onClose).toHaveBeenCalledOnce();
});

test('of the properties only the filled ones change', async () => {
  await open(<PropertiesModal ids={ids} onClose={onClose} onChange={onChange} />);
  await type('tags', 'ЕГЭ, , физика ');
  await submit();
  expect(onChange).toHaveBeenCalledWith({ addTags: ['ЕГЭ', 'физика'] }, 'Свойства: 2 вопросов');
});

test('without a property nothing changes', async () => {
  await open(<PropertiesModal ids={ids} onClose={onClose} onChange={onChange} />);
  await submit();
  expect(onChange).not.toHaveBeenCalled();
  expect(onClose).toHaveBeenCalledOnce();
});

test('a wrong tag among others is reported at the field of tags', async () => {
  await open(<PropertiesModal ids={ids} onClose={onClose} onChange={onChange} />);
  await type('tags', `физика, ${'я'.repeat(300)}`);
  await submit();
  expect(isWrong('tags')).toBe(true);
  expect(document.activeElement).toBe(input('tags'));
  expect(onClose).not.toHaveBeenCalled();
});
