import { expect, test } from 'vitest';
import { ChoiceList, toggleChoice } from './ChoiceList.tsx';
import { click, render } from '#app/ui/test-render.tsx';

const options = ['6 Н', '12 Н', '8 Н'].map((text, index) => ({ id: `o${index}`, text }));

test('of one option the last choice counts', () => {
  expect(toggleChoice({ options, selected: ['o0'], multiple: false }, 'o2')).toEqual(['o2']);
});

test('several options are chosen and cleared one by one, in the order of the options', () => {
  expect(toggleChoice({ options, selected: ['o2'], multiple: true }, 'o0')).toEqual(['o0', 'o2']);
  expect(toggleChoice({ options, selected: ['o0', 'o2'], multiple: true }, 'o0')).toEqual(['o2']);
});

test.each([
  [false, 'radio', ''],
  [true, 'checkbox', 'Выберите все верные'],
] as const)('multiple %s shows inputs of type %s', async (multiple, type, hint) => {
  const chosen: string[][] = [];
  const { container, unmount } = await render(
    <ChoiceList
      options={options}
      selected={['o1']}
      multiple={multiple}
      onChange={(ids) => chosen.push(ids)}
      labelledBy="q"
    />,
  );
  const inputs = [...container.querySelectorAll('input')];
  expect(inputs.map((input) => input.type)).toEqual([type, type, type]);
  expect(inputs.map((input) => input.checked)).toEqual([false, true, false]);
  expect(container.querySelector('p')?.textContent ?? '').toBe(hint);
  await click(container.querySelectorAll('label')[2]);
  expect(chosen).toEqual([multiple ? ['o1', 'o2'] : ['o2']]);
  await unmount();
});

test.each([
  [['o1'], false, false, true],
  [[], false, false, false],
  [['o1'], true, false, false],
  [['o1'], false, true, false],
] as const)(
  '%j, several: %s, locked: %s: «Сбросить выбор» is there: %s',
  async (selected, multiple, locked, isThere) => {
    const chosen: string[][] = [];
    const { container, unmount } = await render(
      <ChoiceList
        options={options}
        selected={selected}
        multiple={multiple}
        locked={locked}
        onChange={(ids) => chosen.push(ids)}
        labelledBy="q"
      />,
    );
    const reset = [...container.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Сбросить выбор',
    );
    expect(reset !== undefined).toBe(isThere);
    if (reset) {
      await click(reset);
      expect(chosen).toEqual([[]]);
      expect(document.activeElement).toBe(container.querySelector('input'));
    }
    await unmount();
  },
);

test('locked options show the choice and accept no further one', async () => {
  const { container, unmount } = await render(
    <ChoiceList
      options={options}
      selected={['o1']}
      multiple={false}
      onChange={() => expect.unreachable()}
      labelledBy="q"
      locked
    />,
  );
  const inputs = [...container.querySelectorAll('input')];
  expect(inputs.every((input) => input.disabled)).toBe(true);
  expect(inputs[1]?.checked).toBe(true);
  await click(container.querySelectorAll('label')[0]);
  await unmount();
});
