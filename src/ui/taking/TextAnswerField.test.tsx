import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { TextAnswerField, type TextAnswerFieldProps } from './TextAnswerField.tsx';

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

interface Props extends Partial<TextAnswerFieldProps> {
  first?: string;
}

async function open({ first = '', ...props }: Props = {}) {
  const seen = { value: first };
  const Field = () => {
    const [value, setValue] = useState(first);
    return (
      <TextAnswerField
        input="line"
        describedBy="q"
        {...props}
        value={value}
        onChange={(next) => {
          seen.value = next;
          setValue(next);
        }}
      />
    );
  };
  shown = await render(<Field />);
  const box = shown.container;
  const field = box.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
  if (!field) throw new Error('no field');
  /** Inserts like typing, a paste or a drop: at the caret, over the selection. */
  const insert = (text: string) =>
    act(async () => {
      const [start, end] = [field.selectionStart ?? 0, field.selectionEnd ?? 0];
      const value = field.value.slice(0, start) + text + field.value.slice(end);
      const type = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
      Object.getOwnPropertyDescriptor(type.prototype, 'value')?.set?.call(field, value);
      field.setSelectionRange(start + text.length, start + text.length);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  const spoken = () => [...box.querySelectorAll('output')].map((one) => one.textContent).join('');
  return {
    box,
    field,
    insert,
    seen,
    spoken,
    sign: () => box.querySelector('[aria-label="Сменить знак"]'),
  };
}

test('row 44: every number field has a button for its sign, whatever is typed', async () => {
  const { field, sign, seen, insert } = await open({ input: 'number' });
  expect(field.getAttribute('inputmode')).toBe('decimal');
  await click(sign());
  expect([field.value, seen.value, field.selectionStart]).toEqual(['−', '−', 1]);
  await insert('5');
  expect(seen.value).toBe('−5');
  await click(sign());
  expect(seen.value).toBe('5');
  await click(sign());
  expect(seen.value).toBe('−5');
});

test.each(['-5', '–5', '—5', '‒5', '−5'])(
  'the sign of %s is removed by the button',
  async (first) => {
    const { sign, seen } = await open({ input: 'number', first });
    await click(sign());
    expect(seen.value).toBe('5');
  },
);

test('the caret stays in the number, and the focus in the field', async () => {
  const { field, sign, spoken } = await open({ input: 'number', first: '12,5' });
  field.focus();
  field.setSelectionRange(2, 2);
  const press = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  sign()?.dispatchEvent(press);
  expect(press.defaultPrevented).toBe(true);
  await click(sign());
  expect([field.value, field.selectionStart]).toEqual(['−12,5', 3]);
  expect(document.activeElement).toBe(field);
  expect(spoken()).toBe('минус 12,5');
});

test('letters of a number («1e5», «1/2») can be typed on a phone: the keyboard is switched', async () => {
  const { box, field } = await open({ input: 'number' });
  await click(box.querySelector('[aria-label="АБВ, клавиатура с буквами"]'));
  expect(field.getAttribute('inputmode')).toBe('text');
  await click(box.querySelector('[aria-label="123, клавиатура с цифрами"]'));
  expect(field.getAttribute('inputmode')).toBe('decimal');
});

test('a line of words and a locked number have no buttons', async () => {
  const line = await open({ input: 'line' });
  expect(line.box.querySelector('button')).toBeNull();
  await shown?.unmount();
  const locked = await open({ input: 'number', locked: true });
  expect(locked.box.querySelector('button')).toBeNull();
});

test('a paste longer than the limit is cut with a sentence, shown and spoken', async () => {
  const { field, insert, seen, box, spoken } = await open({
    input: 'text',
    maxLength: 20_000,
    first: 'начало конец',
  });
  field.setSelectionRange(7, 7);
  await insert('я'.repeat(25_000));
  expect(seen.value === `начало ${'я'.repeat(19_988)}конец`).toBe(true);
  expect(field.selectionStart).toBe(19_995);
  const said =
    'Вставлено 19 988 из 25 000 знаков: остальное не поместилось. Больше 20 000 знаков сюда не помещается.';
  expect(box.textContent?.replaceAll(/\s/g, ' ')).toContain(said);
  expect(spoken().replaceAll(/\s/g, ' ')).toBe(said);
});

test('near the limit the room left is shown at each key and spoken at a few steps', async () => {
  const { box, insert, seen, spoken } = await open({ input: 'line', maxLength: 100 });
  await insert('a'.repeat(89));
  expect(box.textContent).not.toContain('Осталось');
  await insert('b');
  expect(box.textContent).toContain('Осталось 10 знаков из 100');
  expect(spoken()).toBe('Осталось 10 знаков из 100');
  await insert('b');
  expect(box.textContent).toContain('Осталось 9 знаков из 100');
  expect(spoken()).toBe('Осталось 10 знаков из 100');
  await insert('b'.repeat(9));
  expect(spoken()).toBe('Осталось 0 знаков из 100');
  await insert('c');
  expect(seen.value).toBe(`${'a'.repeat(89)}${'b'.repeat(11)}`);
  expect(spoken()).toBe('Больше 100 знаков сюда не помещается.');
});

test('a pair of surrogates is never split, and a text that is too long already loses nothing', async () => {
  const { field, insert, seen } = await open({ input: 'text', maxLength: 4, first: 'abc' });
  field.setSelectionRange(3, 3);
  await insert('😀');
  expect(seen.value).toBe('abc');
  await shown?.unmount();
  const long = await open({ input: 'text', maxLength: 4, first: 'abcdef' });
  long.field.setSelectionRange(6, 6);
  await long.insert('g');
  expect(long.field.value).toBe('abcdef');
});

test('dropped text stays selected, only its end is cut, and a message reports the cut', async () => {
  const { field, seen, spoken } = await open({ input: 'text', maxLength: 8, first: 'начало' });
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(
      field,
      'начало и конец',
    );
    field.setSelectionRange(6, 14);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(seen.value).toBe('начало и');
  expect(spoken().replaceAll(/\s/g, ' ')).toContain('Вставлено 2 из 8 знаков');
});

test('a family that does not fit is named, though room for a few characters is left', async () => {
  const { insert, seen, spoken } = await open({ input: 'line', maxLength: 12, first: 'мама и' });
  await insert('👨\u200D👩\u200D👧');
  expect(seen.value).toBe('мама и');
  expect(spoken().replaceAll(/\s/g, ' ')).toContain('Вставлено 0 из 8 знаков');
  await insert('я');
  expect(spoken()).not.toContain('Вставлено');
});

test('what was cut from one answer is not said of another', async () => {
  const props = {
    input: 'line',
    describedBy: 'q',
    maxLength: 4,
    onChange: () => undefined,
  } as const;
  shown = await render(<TextAnswerField {...props} value="abcd" />);
  const field = shown.container.querySelector('input');
  const spoken = () => shown?.container.querySelector('output')?.textContent;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
      field,
      'abcdefg',
    );
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(spoken()).toContain('Вставлено 0 из 3');
  await shown.show(<TextAnswerField {...props} value="efgh" />);
  expect(spoken()).not.toContain('Вставлено');
});

test('row 45: invisible characters are not stored with a word or a number, and an essay stays as it is', async () => {
  const { field, insert, seen } = await open({ first: 'лс' });
  field.setSelectionRange(1, 1);
  await insert('\u200Bе\u00AD');
  expect([seen.value, field.selectionStart]).toEqual(['лес', 2]);
  await shown?.unmount();
  const essay = await open({ input: 'text' });
  await essay.insert('пе\u00ADре\u00ADнос');
  expect(essay.seen.value).toBe('пе\u00ADре\u00ADнос');
});
