import type { FormStore } from '@modular-forms/react';
import { act, useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import { ApiFailure } from '#app/api/failure.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { useAppForm } from './use-app-form.ts';
import { writeForm } from './write-form.ts';

const schema = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('Введите имя')),
  code: v.pipe(v.string(), v.minLength(3, 'Не меньше трёх'), v.digits('Только цифры')),
});
const send = vi.fn<(values: v.InferOutput<typeof schema>) => Promise<string | void>>();
const onDirty = vi.fn<(isDirty: boolean) => void>();

function Example() {
  const form = useAppForm({
    schema,
    initialValues: { name: '', code: '' },
    codes: { CODE_IN_USE: { field: 'code' } },
    send,
  });
  return (
    <AppForm of={form} onDirty={onDirty}>
      <FormField of={form} name="name" label="Имя" type="text" />
      <FormField of={form} name="code" label="Код" type="text" />
      <FormFoot of={form} label="Отправить" />
    </AppForm>
  );
}

let screen: Rendered;
beforeEach(async () => {
  send.mockReset();
  screen = await render(<Example />);
});
afterEach(() => screen.unmount());

const input = (name: string) => {
  const found = screen.container.querySelector<HTMLInputElement>(`input[name=${name}]`);
  if (!found) throw new Error(`No field ${name}`);
  return found;
};
const type = (name: string, value: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
      input(name),
      value,
    );
    input(name).dispatchEvent(new Event('input', { bubbles: true }));
  });
const leave = (name: string) =>
  act(async () => {
    input(name).focus();
    input(name).blur();
  });
const submit = () => click(screen.container.querySelector('button[type=submit]'));
const text = () => screen.container.textContent;
const isWrong = (name: string) => input(name).getAttribute('aria-invalid') === 'true';
const refusal = (code: string, details?: unknown) =>
  new ApiFailure({
    kind: 'refused',
    method: 'POST',
    url: '/',
    code,
    message: `Отказ ${code}`,
    details,
  });

test('a field that is left is wrong unless it is empty, and is right again once it is corrected', async () => {
  await leave('code');
  expect(isWrong('code')).toBe(false);
  await type('code', 'a');
  expect(isWrong('code')).toBe(false);
  await leave('code');
  expect(isWrong('code')).toBe(true);
  // Of several problems the first is shown.
  expect(text()).toContain('Не меньше трёх');
  await type('code', '123');
  expect(isWrong('code')).toBe(false);
});

test('an empty form names every wrong field and moves to the first', async () => {
  await submit();
  expect(['name', 'code'].map(isWrong)).toEqual([true, true]);
  expect(document.activeElement).toBe(input('name'));
  expect(send).not.toHaveBeenCalled();
});

test.each([
  ['by its code', refusal('CODE_IN_USE')],
  ['by name', refusal('VALIDATION', { fields: [{ field: 'body.code', message: 'Отказ' }] })],
])('a refusal that belongs to a field %s is shown there', async (_, failure) => {
  send.mockRejectedValueOnce(failure);
  await type('name', ' Анна ');
  await type('code', '123');
  await submit();
  expect(send).toHaveBeenCalledWith({ name: 'Анна', code: '123' });
  expect(['name', 'code'].map(isWrong)).toEqual([false, true]);
  expect(document.activeElement).toBe(input('code'));
  expect(screen.container.querySelector('[role=alert]')?.textContent).toBe('');
});

test('any other failure is shown under the form until the next submit', async () => {
  send.mockRejectedValueOnce(refusal('OTHER')).mockResolvedValueOnce('Готово');
  await type('name', 'Анна');
  await type('code', '123');
  await submit();
  expect(screen.container.querySelector('[role=alert]')?.textContent).toBe('Отказ OTHER');
  expect(input('name').value).toBe('Анна');
  await submit();
  expect(screen.container.querySelector('[role=alert]')?.textContent).toBe('');
  expect(screen.container.querySelector('[role=status]')?.textContent).toBe('Готово');
  await type('code', '');
  await submit();
  expect(screen.container.querySelector('[role=status]')?.textContent).toBe('');
});

test('typed input is reported until it is reverted', async () => {
  expect(onDirty).toHaveBeenLastCalledWith(false);
  await type('name', 'А');
  expect(onDirty).toHaveBeenLastCalledWith(true);
  await type('name', '');
  expect(onDirty).toHaveBeenLastCalledWith(false);
});

test('a non-text value is shown, changed, reported and sent with its type', async () => {
  const sent = vi.fn<(values: { on: boolean; off: boolean }) => void>();
  function Switches() {
    const form = useAppForm({
      schema: v.object({ on: v.boolean(), off: v.boolean() }),
      initialValues: { on: true, off: false },
      send: sent,
    });
    return (
      <AppForm of={form} onDirty={onDirty}>
        <FormField of={form} component={SwitchField} name="on" label="Сначала да" />
        <FormField of={form} component={SwitchField} name="off" label="Сначала нет" />
        <FormFoot of={form} label="Отправить" />
      </AppForm>
    );
  }
  await screen.unmount();
  screen = await render(<Switches />);
  expect(['on', 'off'].map((name) => input(name).checked)).toEqual([true, false]);
  await click(input('off'));
  await click(input('on'));
  expect(['on', 'off'].map((name) => input(name).checked)).toEqual([false, true]);
  expect(onDirty).toHaveBeenLastCalledWith(true);
  await submit();
  expect(sent).toHaveBeenCalledWith({ on: false, off: true });
});

test.each([true, false])(
  'a wrong value of a box or list (native: %s) is shown at its field, which gets the focus',
  async (native) => {
    function Wrong() {
      const form = useAppForm({
        schema: v.object({
          list: v.picklist(['b'], 'Выберите вторую'),
          box: v.literal(true, 'Нужно согласие'),
        }),
        initialValues: { list: 'a', box: false },
        send: () => undefined,
      });
      return (
        <AppForm of={form}>
          <FormField
            of={form}
            component={SelectField}
            name="list"
            label="Список"
            native={native}
            choices={['a', 'b'].map((value) => ({ value, label: value }))}
          />
          <FormField
            of={form}
            component={SwitchField}
            name="box"
            label="Согласие"
            description="Зачем"
          />
          <FormFoot of={form} label="Отправить" />
        </AppForm>
      );
    }
    await screen.unmount();
    screen = await render(<Wrong />);
    await submit();
    const list = screen.container.querySelector('select, input[aria-haspopup]');
    const notesOf = (field: Element | null) =>
      (field?.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent);
    expect(list).not.toBeNull();
    expect(document.activeElement).toBe(list);
    expect(list?.getAttribute('aria-invalid')).toBe('true');
    expect(notesOf(list)).toEqual(['Выберите вторую']);
    expect(isWrong('box')).toBe(true);
    expect(notesOf(input('box'))).toEqual(['Зачем', 'Нужно согласие']);
    await click(input('box'));
    expect(isWrong('box')).toBe(false);
    expect(notesOf(input('box'))).toEqual(['Зачем']);
  },
);

test('a refusal within a list is shown at its item, one within a whole value there, one of no field under the form', async () => {
  const problems = [
    { field: 'list.1.count', message: 'Много' },
    { field: 'picked.3', message: 'Ушёл' },
    { field: 'hidden', message: 'Спрятано' },
  ];
  const refused = vi.fn<() => Promise<void>>();
  const shown = vi.fn<(form: FormStore<{ picked: string; list: { count: string }[] }>) => void>();
  function Items() {
    const form = useAppForm({
      schema: v.object({ picked: v.string(), list: v.array(v.object({ count: v.string() })) }),
      initialValues: { picked: '', list: [{ count: '1' }, { count: '2' }] },
      send: refused,
    });
    useEffect(() => shown(form.store));
    return (
      <AppForm of={form}>
        <FormField of={form} name="picked" label="Кто" type="text" />
        <FormList
          of={form}
          name="list"
          label="Список"
          description=""
          most={3}
          addLabel="Ещё"
          createItem={() => ({ count: '' })}
        >
          {(index) => (
            <FormField of={form} name={`list.${index}.count`} label="Сколько" type="text" />
          )}
        </FormList>
        <FormFoot of={form} label="Отправить" />
      </AppForm>
    );
  }
  await screen.unmount();
  screen = await render(<Items />);
  const refuse = (fields: readonly unknown[]) =>
    refused.mockRejectedValueOnce(refusal('VALIDATION', { fields }));
  const wrong = () =>
    [...screen.container.querySelectorAll<HTMLInputElement>('[aria-invalid=true]')].map(
      ({ name }) => name,
    );
  const alert = () => screen.container.querySelector('[role=alert]')?.textContent;
  refuse(problems);
  await submit();
  expect(wrong()).toEqual(['picked', 'list.1.count']);
  expect(document.activeElement).toBe(screen.container.querySelector('[name=picked]'));
  refuse(problems.slice(2));
  await submit();
  expect([wrong(), alert()]).toEqual([[], 'Спрятано']);
  refuse(problems.slice(0, 1));
  await submit();
  await act(async () => writeForm(shown.mock.lastCall![0], { list: [{ count: '7' }] }));
  expect([wrong(), alert()]).toEqual([[], '']);
  const counts = screen.container.querySelectorAll<HTMLInputElement>('[name^=list]');
  expect([...counts].map(({ value }) => value)).toEqual(['7']);
});
