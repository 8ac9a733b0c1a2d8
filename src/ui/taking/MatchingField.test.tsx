import { act, useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { MatchingField } from './MatchingField.tsx';
import type { Pair } from './matching.ts';
import { click, press, render } from '#app/ui/test-render.tsx';

const left = ['Импульс', 'Мощность', 'Давление'].map((text, index) => ({
  leftId: `l${index}`,
  text,
}));
const right = ['Па', 'Вт', 'кг·м/с', 'Н'].map((text, index) => ({ rightId: `r${index}`, text }));

const seen: { pairs: readonly Pair[] } = { pairs: [] };

function Field({ locked = false, reuse = false }: { locked?: boolean; reuse?: boolean }) {
  const [pairs, setPairs] = useState<Pair[]>([]);
  return (
    <MatchingField
      left={left}
      right={right}
      pairs={pairs}
      reuse={reuse}
      onChange={(next) => {
        seen.pairs = next;
        setPairs(next);
      }}
      labelledBy="q"
      locked={locked}
    />
  );
}

async function field({ locked = false, reuse = false } = {}) {
  const rendered = await render(<Field locked={locked} reuse={reuse} />);
  const all = (selector: string) => [...rendered.container.querySelectorAll<HTMLElement>(selector)];
  return {
    ...rendered,
    item: (index: number) => all('li button')[index],
    option: (index: number) => all('[role=option]')[index],
    bank: () => all('[role=listbox]')[0],
    expanded: () =>
      all('li button').map((button) => button.ariaExpanded ?? button.getAttribute('aria-expanded')),
  };
}

const frame = () =>
  act(async () => new Promise((done) => requestAnimationFrame(() => done(undefined))));

beforeEach(() => {
  seen.pairs = [];
  HTMLElement.prototype.scrollIntoView = () => {};
});

test('pictures and recordings of items are outside the buttons and can be opened and played', async () => {
  const { container, unmount } = await render(
    <MatchingField
      left={[
        { leftId: 'l0', text: 'Голос ![Мэри \\[1\\]](audio-file:a)' },
        { leftId: 'l1', text: 'Джон' },
      ]}
      right={[
        { rightId: 'r0', text: 'Па' },
        { rightId: 'r1', text: '![схема](file:b)' },
      ]}
      pairs={[{ leftId: 'l1', rightId: 'r1' }]}
      onChange={() => {}}
      labelledBy="q"
      renderText={(text, still) => (still ? 'неподвижно' : text)}
    />,
  );
  const media = container.querySelector('ul');
  expect([...(media?.children ?? [])].map((item) => item.textContent)).toEqual([
    '1![Мэри \\[1\\]](audio-file:a)',
    'Б![схема](file:b)',
  ]);
  for (const control of container.querySelectorAll('button, [role=option]'))
    expect(control.textContent).toContain('неподвижно');
  await unmount();
});

test('a tap on a left and a right item makes a pair and goes on to the next free item', async () => {
  const { item, option, expanded, unmount } = await field();
  await click(item(0));
  expect(expanded()).toEqual(['true', 'false', 'false']);
  await click(option(2));
  expect(seen.pairs).toEqual([{ leftId: 'l0', rightId: 'r2' }]);
  expect(expanded()).toEqual(['false', 'true', 'false']);
  expect(item(0)?.textContent).toContain('Вкг·м/с');
  expect(option(2)?.textContent).toContain('пара к 1');
  await unmount();
});

test('after the last pair the bank closes', async () => {
  const { item, option, expanded, unmount } = await field();
  await click(item(0));
  for (const index of [0, 1, 2]) await click(option(index));
  expect(seen.pairs).toHaveLength(3);
  expect(expanded()).toEqual(['false', 'false', 'false']);
  await unmount();
});

test('a right item in use is moved to the item that selects it', async () => {
  const { item, option, unmount } = await field();
  await click(item(0));
  await click(option(1));
  await click(option(1));
  expect(seen.pairs).toEqual([{ leftId: 'l1', rightId: 'r1' }]);
  await unmount();
});

test('a right item that may be reused stays available, by taps and by keys', async () => {
  const { item, option, bank, container, unmount } = await field({ reuse: true });
  expect(container.textContent).toContain('Один вариант можно выбрать несколько раз');
  await click(item(0));
  await click(option(1));
  await click(option(1));
  expect(option(1)?.textContent).toContain('пара к 1, 2');
  expect(option(1)?.dataset['used']).toBeUndefined();
  bank()?.focus();
  await press(bank(), 'Б');
  expect(seen.pairs).toEqual(left.map(({ leftId }) => ({ leftId, rightId: 'r1' })));
  await press(item(1), 'Delete');
  expect(seen.pairs).toEqual(['l0', 'l2'].map((leftId) => ({ leftId, rightId: 'r1' })));
  await unmount();
});

test('with keys alone: open, move, choose, clear, close', async () => {
  const { item, bank, expanded, unmount } = await field();
  item(0)?.focus();
  await click(item(0));
  await frame();
  expect(document.activeElement).toBe(bank());
  await press(bank(), 'ArrowDown');
  await press(bank(), 'ArrowDown');
  await press(bank(), 'ArrowUp');
  await press(bank(), 'Enter');
  expect(seen.pairs).toEqual([{ leftId: 'l0', rightId: 'r1' }]);
  await press(bank(), 'Г');
  expect(seen.pairs).toContainEqual({ leftId: 'l1', rightId: 'r3' });
  await press(bank(), 'Escape');
  expect(expanded()).toEqual(['false', 'false', 'false']);
  expect(document.activeElement).toBe(item(2));
  await press(item(1), 'Delete');
  expect(seen.pairs).toEqual([{ leftId: 'l0', rightId: 'r1' }]);
  await unmount();
});

test('a letter at a left item chooses for it at once, and the pair and the next item are spoken in words', async () => {
  const { item, container, unmount } = await field();
  item(2)?.focus();
  await press(item(2), 'а');
  expect(seen.pairs).toEqual([{ leftId: 'l2', rightId: 'r0' }]);
  expect(container.querySelector('output')?.textContent).toBe('Давление — Па. Дальше: Импульс');
  await press(item(2), 'Delete');
  expect(container.querySelector('output')?.textContent).toBe('Давление: пара убрана');
  await unmount();
});

test('locked answers are shown and cannot be changed', async () => {
  const { item, bank, unmount } = await field({ locked: true });
  expect(item(0)?.hasAttribute('disabled')).toBe(true);
  expect(bank()).toBeUndefined();
  await unmount();
});

test('another tap on a chosen item deselects it; a key on it does not', async () => {
  const { item, option, bank, unmount } = await field();
  await click(item(0));
  await click(option(2));
  await click(item(0));
  expect(seen.pairs).toEqual([{ leftId: 'l0', rightId: 'r2' }]);
  await press(bank(), 'Enter');
  expect(seen.pairs).toEqual([{ leftId: 'l0', rightId: 'r2' }]);
  await click(item(0));
  await click(option(2));
  expect(seen.pairs).toEqual([]);
  await unmount();
});
