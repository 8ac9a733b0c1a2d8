import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { AreasField } from './AreasField.tsx';

const at = (left: number) =>
  ({ shape: 'rectangle', left, top: 0.25, width: 0.125, height: 0.5 }) as const;
const OPTIONS = [
  { id: 'o1', text: 'А', area: at(0) },
  { id: 'o2', text: 'Митохондрия', area: at(0.5) },
  { id: 'o3', text: 'Ничего из этого' },
];

let shown: Rendered | undefined;
beforeAll(() => preloadRichText(['![a](file:b)']));
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

async function open(props: { multiple?: boolean; locked?: boolean; text?: string } = {}) {
  const { multiple = false, locked = false, text = 'Где?\n\n![клетка](file:KEY)' } = props;
  const seen: { selected: string[] } = { selected: [] };
  function Field() {
    const [selected, setSelected] = useState<string[]>([]);
    return (
      <Pictures value={() => Promise.resolve('blob:picture')}>
        <AreasField
          text={text}
          options={OPTIONS}
          selected={selected}
          multiple={multiple}
          locked={locked}
          labelledBy="q"
          onChange={(ids) => {
            seen.selected = ids;
            setSelected(ids);
          }}
        />
      </Pictures>
    );
  }
  shown = await render(<Field />);
  const { container } = shown;
  const areas = () => [...container.querySelectorAll<HTMLElement>('[data-area]')];
  return { seen, container, areas };
}

test('areas lie on the picture by shares of it, marked as in the list; an option without one is in the list alone', async () => {
  const { areas, container } = await open();
  expect(areas().map(({ dataset }) => dataset['area'])).toEqual(['А', '2']);
  expect(areas()[1]?.style).toMatchObject({
    left: '50%',
    top: '25%',
    width: '12.5%',
    height: '50%',
  });
  // The list shows the number beside a text that is not the mark itself.
  expect([...container.querySelectorAll('label')].map((label) => label.textContent)).toEqual([
    expect.stringMatching(/^А/),
    expect.stringMatching(/^2Митохондрия/),
    expect.stringMatching(/^Ничего/),
  ]);
  expect(areas().every((area) => area.closest('button') === null)).toBe(true);
});

test('a tap on an area chooses its option; with several allowed it toggles', async () => {
  const single = await open();
  await click(single.areas()[0]);
  await click(single.areas()[1]);
  expect(single.seen.selected).toEqual(['o2']);
  expect(single.areas().map(({ dataset }) => 'chosen' in dataset)).toEqual([false, true]);
  await shown?.unmount();
  const several = await open({ multiple: true });
  await click(several.areas()[1]);
  await click(several.areas()[0]);
  expect(several.seen.selected).toEqual(['o1', 'o2']);
  await click(several.areas()[1]);
  expect(several.seen.selected).toEqual(['o1']);
});

test('a locked field ignores taps', async () => {
  const { areas, seen } = await open({ locked: true });
  await click(areas()[0]);
  expect(seen.selected).toEqual([]);
});

test('without a picture in the text the list remains', async () => {
  const { areas, container } = await open({ text: 'Где **ядро**?' });
  expect(areas()).toEqual([]);
  expect(container.querySelectorAll('input')).toHaveLength(3);
});
