import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { withoutInvisible } from '#domain/format-typed.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { LimitNote } from './LimitNote.tsx';
import { useTextLimit } from './use-text-limit.ts';

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

async function open(first: string, limit?: number) {
  const seen: string[] = [];
  const Field = () => {
    const [value, setValue] = useState(first);
    const typing = useTextLimit(
      value,
      limit,
      (next) => {
        seen.push(next);
        setValue(next);
      },
      withoutInvisible,
    );
    return (
      <div>
        <input {...typing.field} />
        <LimitNote limit={typing.limit} />
      </div>
    );
  };
  shown = await render(<Field />);
  const field = shown.container.querySelector('input');
  if (!field) throw new Error('no field');
  const writes: string[] = [];
  const own = Object.getOwnPropertyDescriptor(field, 'value');
  const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  Object.defineProperty(field, 'value', {
    configurable: true,
    get: () => own?.get?.call(field),
    set(text: string) {
      writes.push(text);
      own?.set?.call(field, text);
    },
  });
  const input = (text: string, isComposing: boolean) =>
    act(async () => {
      native?.set?.call(field, text);
      field.setSelectionRange(text.length, text.length);
      const event = new Event('input', { bubbles: true });
      field.dispatchEvent(Object.assign(event, { isComposing }));
    });
  return {
    field,
    seen,
    /** What the app wrote to the field. */
    writes,
    /** The field's text at each step of an input method; the last one completes it. */
    async compose(...steps: string[]) {
      await act(async () =>
        field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true })),
      );
      for (const text of steps) await input(text, true);
      writes.push('complete');
      await act(async () =>
        field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true })),
      );
    },
    /** Firefox fires one more event with the complete text. */
    inputAgain: () => input(field.value, false),
    said: () => shown?.container.querySelector('output')?.textContent.replaceAll(/\s/g, ' '),
  };
}

test('row 44: nothing is written into a field while an input method composes; then its end is cut and said', async () => {
  const { field, seen, writes, compose, inputAgain, said } = await open('abcdef', 8);
  await compose('abcdefn', 'abcdefni', 'abcdefnih', 'abcdefniha', 'abcdefnihao');
  expect(writes.slice(0, writes.indexOf('complete'))).toEqual([]);
  expect(field.value).toBe('abcdefni');
  expect(seen).toEqual(['abcdefn', 'abcdefni']);
  expect(said()).toContain('Вставлено 0 из 3 знаков: остальное не поместилось.');
  await inputAgain();
  expect(field.value).toBe('abcdefni');
  expect(said()).toContain('Вставлено 0 из 3 знаков');
});

test('row 44: signs that fit are accepted, however many letters an input method needs for them', async () => {
  const { field, seen, writes, compose, said } = await open('abcdef', 8);
  await compose('abcdefni', 'abcdefnihon', 'abcdef日本');
  expect(writes.slice(0, writes.indexOf('complete'))).toEqual([]);
  expect([field.value, seen.at(-1)]).toEqual(['abcdef日本', 'abcdef日本']);
  expect(said()).not.toContain('Вставлено');
});

test.each([undefined, 20])(
  'row 44: with a limit of %s invisible characters of a composition are removed without doubling a letter',
  async (limit) => {
    const { field, seen, writes, compose } = await open('', limit);
    await compose('ко', 'ко\u200Bт', 'ко\u200Bты');
    expect(writes.slice(0, writes.indexOf('complete'))).toEqual([]);
    expect([field.value, seen]).toEqual(['коты', ['ко', 'кот', 'коты']]);
  },
);
