import { act, useCallback, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { firstChosen, partsOf, toggled } from './import-plan.ts';
import type { ImportedTest } from './messages.ts';
import { Preview } from './Preview.tsx';

const bank: ImportedTest = {
  format: 'gift',
  title: null,
  items: Array.from({ length: 650 }, (_, index) => ({
    question: {
      questionId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      kind: 'open',
      input: 'text',
      text: `Вопрос ${index + 1}`,
      points: 1,
      accepted: [{ text: 'да', share: 1 }],
      tolerance: 0,
    },
    place: `строка ${index}`,
    losses: [],
    source: `${index}`,
  })),
  refused: [],
  pictures: [],
  notes: [],
};

const NONE: ReadonlySet<string> = new Set();

let shown: Rendered | undefined;
beforeEach(() => {
  // This document has no layout: the dialog shows 800 px, and each row is as high as expected.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(100_000);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(62);
  // The list comes first in its scroll container, and moves with it.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    const isList = this instanceof HTMLUListElement;
    return new DOMRect(0, isList ? -(scroller()?.scrollTop ?? 0) : 0, 800, 62);
  });
});
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
  vi.restoreAllMocks();
});

function Sheet({ present = NONE, banked = NONE }: { present?: typeof NONE; banked?: typeof NONE }) {
  const part = partsOf(bank)[1] ?? { from: 0, to: 0 };
  const known = new Set([...present, ...banked]);
  const [chosen, setChosen] = useState(() => firstChosen(bank, part, known, 300));
  const toggle = useCallback((index: number) => setChosen((now) => toggled(now, index)), []);
  return (
    <div data-scroller="true" style={{ overflowY: 'auto' }}>
      <Preview
        imported={bank}
        present={present}
        banked={banked}
        chosen={chosen}
        onToggle={toggle}
      />
    </div>
  );
}

const rows = () => [...(shown?.container.querySelectorAll('ul[aria-label="Войдут"] > li') ?? [])];
const places = () => rows().map((row) => Number(row.getAttribute('aria-posinset')));
const boxOf = (place: number) =>
  shown?.container.querySelector<HTMLInputElement>(`[aria-posinset="${place}"] input`);
const button = (name: string) =>
  [...(shown?.container.querySelectorAll('button') ?? [])].find(
    ({ textContent }) => textContent === name,
  );
const scroller = () => shown?.container.querySelector('[data-scroller]');
async function scrollTo(top: number): Promise<void> {
  await act(async () => {
    const box = scroller();
    if (!box) throw new Error('nothing scrolls');
    box.scrollTop = top;
    box.dispatchEvent(new Event('scroll'));
  });
}

test('of a bank only the rows near the visible ones are in the document, and each says its place', async () => {
  shown = await render(<Sheet />);
  expect(places()).toEqual(Array.from({ length: places().length }, (_, index) => index + 1));
  expect(places().length).toBeLessThan(30);
  expect(rows()[0]?.getAttribute('aria-setsize')).toBe('650');
  expect(rows()[0]?.textContent).toContain('Вопрос 1');
  await scrollTo(62 * 500);
  expect(places()).toContain(505);
  expect(places()).not.toContain(1);
  expect(places().length).toBeLessThan(40);
});

test('a ticked row retains focus and document position however far it is scrolled away', async () => {
  shown = await render(<Sheet />);
  await act(async () => boxOf(2)?.focus());
  await click(boxOf(2));
  await scrollTo(62 * 500);
  expect(places()).toEqual(places().toSorted((one, other) => one - other));
  expect(document.activeElement).toBe(boxOf(2));
  expect(boxOf(2)?.checked).toBe(true);
});

test('questions already present are reported and not ticked; a button leads to the first ticked row', async () => {
  shown = await render(<Sheet present={new Set(['300', '302'])} banked={new Set(['0', '300'])} />);
  expect(shown.container.textContent).toContain('Уже есть в этом тесте: 2. Они не отмечены.');
  expect(shown.container.textContent).toContain('Уже есть в вашем банке вопросов: 1.');
  expect(rows()[0]?.textContent).toContain('Уже есть в банке');
  expect(rows()[1]?.textContent).not.toContain('Уже есть');
  await click(button('К отмеченным'));
  expect(document.activeElement).toBe(boxOf(302));
  expect(boxOf(302)?.checked).toBe(true);
});

test('obstacles to publishing a question are shown before anything is stored', async () => {
  const [first] = bank.items;
  if (!first) throw new Error('no item');
  const question = { ...first.question, points: 0, text: 'Без баллов' };
  const imported = { ...bank, items: [{ ...first, question, losses: ['Отзыв не перенесён'] }] };
  shown = await render(
    <div data-scroller="true" style={{ overflowY: 'auto' }}>
      <Preview
        imported={imported}
        present={NONE}
        banked={NONE}
        chosen={new Set([0])}
        onToggle={() => undefined}
      />
    </div>,
  );
  const lines = [...shown.container.querySelectorAll('li li')].map((line) => line.textContent);
  expect(lines).toEqual([
    'Отзыв не перенесён',
    'Перед публикацией исправьте: баллы должны быть больше нуля',
  ]);
  expect(shown.container.textContent).toContain('Перед публикацией исправить: 1.');
});

test('the next question with a remark is one button away, whatever is between', async () => {
  const remarked = (index: number) => [4, 400].includes(index);
  const items = bank.items.map((item, index) =>
    remarked(index) ? { ...item, losses: ['Отзыв не перенесён'] } : item,
  );
  shown = await render(
    <div data-scroller="true" style={{ overflowY: 'auto' }}>
      <Preview
        imported={{ ...bank, items }}
        present={NONE}
        banked={NONE}
        chosen={new Set()}
        onToggle={() => undefined}
      />
    </div>,
  );
  for (const place of [5, 401, 5]) {
    await click(button('К следующему с замечанием'));
    expect(document.activeElement).toBe(boxOf(place));
  }
});
