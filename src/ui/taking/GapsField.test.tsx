import { act, useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import { click, press, render, type Rendered } from '#app/ui/test-render.tsx';
import { GapsField, type FilledGap, type ShownGap } from './GapsField.tsx';

const gaps: ShownGap[] = [
  { gapId: '1', input: 'number' },
  {
    gapId: '2',
    input: 'choice',
    options: ['льдом', 'паром'].map((text) => ({ optionId: `o-${text}`, text })),
  },
  { gapId: '3', input: 'line' },
];
const TEXT = 'Кипит при **[[1]]** °C и [[2]], лёд – [[3]].';

const seen: { answered: FilledGap[]; isWhole: boolean | null } = { answered: [], isWhole: null };
let shown: Rendered | undefined;
// With a formula, so that both parsers are loaded.
beforeAll(() => preloadRichText(['**да** $x$']));
beforeEach(() => {
  seen.answered = [];
  seen.isWhole = null;
});
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

interface Props {
  text?: string;
  locked?: boolean;
  onEnter?: () => void;
  of?: readonly ShownGap[];
}

function Field({ text = TEXT, locked = false, onEnter, of = gaps }: Props) {
  const [answered, setAnswered] = useState<FilledGap[]>([]);
  return (
    <GapsField
      text={text}
      gaps={of}
      answered={answered}
      locked={locked}
      {...(onEnter && { onEnter })}
      onChange={(next, isWhole) => {
        Object.assign(seen, { answered: next, isWhole });
        setAnswered(next);
      }}
    />
  );
}

async function field(props: Props = {}) {
  shown = await render(<Field {...props} />);
  const box = shown.container;
  const gap = (number: number) =>
    box.querySelector<HTMLInputElement | HTMLSelectElement>(`[aria-label="Пропуск ${number}"]`);
  return { box, gap };
}

async function put(input: HTMLInputElement | HTMLSelectElement | null, value: string) {
  if (!input) throw new Error('no such gap');
  const type = input instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
  const set = Object.getOwnPropertyDescriptor(type.prototype, 'value')?.set;
  await act(async () => {
    set?.call(input, value);
    input.dispatchEvent(
      new Event(input instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
    );
  });
}

test('fields stand in the text at the places of their gaps', async () => {
  const { box, gap } = await field();
  expect(gap(1)?.closest('strong')).not.toBeNull();
  expect(box.textContent).not.toContain('[[');
  expect(gap(1)?.getAttribute('inputmode')).toBe('decimal');
  expect([...(gap(2)?.querySelectorAll('option') ?? [])].map((one) => one.textContent)).toEqual([
    '– выберите –',
    'льдом',
    'паром',
  ]);
});

test('each field changes its own gap, a choice is whole at once, and an emptied one is left out', async () => {
  const { gap } = await field();
  await put(gap(1), '99,5');
  expect(seen).toEqual({ answered: [{ gapId: '1', text: '99,5' }], isWhole: false });
  await put(gap(2), 'o-паром');
  expect(seen).toEqual({
    answered: [
      { gapId: '1', text: '99,5' },
      { gapId: '2', optionId: 'o-паром' },
    ],
    isWhole: true,
  });
  await put(gap(1), '');
  expect(seen.answered).toEqual([{ gapId: '2', optionId: 'o-паром' }]);
  await put(gap(2), '');
  expect(seen.answered).toEqual([]);
});

test('the focus stays in the field while its text is drawn again with other answers', async () => {
  const { gap } = await field();
  const input = gap(3);
  input?.focus();
  await put(input, 'водой');
  expect(gap(3)).toBe(input);
  expect(document.activeElement).toBe(input);
});

test('brackets that are typed as such are no place', async () => {
  const { box, gap } = await field({ text: String.raw`x\[\[1]] [[1]] [[2]] [[3]]` });
  expect(box.textContent).toContain('x[[1]]');
  expect(gap(1)).not.toBeNull();
});

test('a gap without a place, as within a formula, stands below with its name', async () => {
  const { box } = await field({ text: '**Да** [[1]] и `[[2]]`' });
  const named = [...box.querySelectorAll('label')].map((label) => label.textContent);
  expect(named).toEqual(['Пропуск 2', 'Пропуск 3']);
});

test('locked gaps are read-only', async () => {
  const { gap } = await field({ locked: true });
  expect((gap(1) as HTMLInputElement).readOnly).toBe(true);
  expect((gap(2) as HTMLSelectElement).disabled).toBe(true);
});

test('Enter goes on from the last gap only', async () => {
  const onEnter = vi.fn();
  const { gap } = await field({ onEnter });
  const enter = (number: number) =>
    act(async () => {
      gap(number)?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    });
  await enter(1);
  expect(onEnter).not.toHaveBeenCalled();
  await enter(3);
  expect(onEnter).toHaveBeenCalledOnce();
});

const words = (gapId: string): ShownGap => ({
  gapId,
  input: 'choice',
  options: ['льдом', 'паром'].map((text) => ({ optionId: `${gapId}-${text}`, text })),
});
const banked = {
  text: '[[2]] и [[1]], а ещё [[3]]',
  of: [words('1'), words('2'), { gapId: '3', input: 'line' as const }],
};

async function bank(props: Props = banked) {
  HTMLElement.prototype.scrollIntoView = () => {};
  const { box, gap: typed } = await field(props);
  const gap = (number: number) =>
    [...box.querySelectorAll('button')].find((one) =>
      one.textContent?.startsWith(`Пропуск ${number}:`),
    );
  const word = (text: string) =>
    [...box.querySelectorAll<HTMLElement>('[role=option]')].find((one) =>
      one.textContent?.includes(text),
    );
  const list = () => box.querySelector<HTMLElement>('[role=listbox]');
  return { box, gap, word, list, typed };
}

test('gaps with one list are filled from a bank by taps, in the order of the text, one word as often as wanted', async () => {
  const { box, gap, word, typed } = await bank();
  expect(box.querySelector('select')).toBeNull();
  await click(gap(2));
  expect(gap(2)?.getAttribute('aria-expanded')).toBe('true');
  await click(word('паром'));
  expect(seen).toEqual({ answered: [{ gapId: '2', optionId: '2-паром' }], isWhole: true });
  expect(gap(1)?.getAttribute('aria-expanded')).toBe('true');
  await put(typed(3), 'водой');
  await click(word('паром'));
  expect(seen.answered).toEqual([
    { gapId: '3', text: 'водой' },
    { gapId: '2', optionId: '2-паром' },
    { gapId: '1', optionId: '1-паром' },
  ]);
  expect(gap(1)?.textContent).toBe('Пропуск 1: паром');
  expect(word('паром')?.textContent).toContain('в пропусках 2, 1');
  expect(box.querySelector('output')?.textContent).toBe('Пропуск 1: паром. Все пропуски заполнены');
});

test('another tap on a word or Delete on its gap removes it', async () => {
  const { box, gap, word } = await bank();
  await click(gap(1));
  await click(word('льдом'));
  await click(gap(1));
  await click(word('льдом'));
  expect(seen.answered).toEqual([]);
  expect(box.querySelector('output')?.textContent).toBe('Пропуск 1 пуст');
  await click(word('льдом'));
  await press(gap(1), 'Delete');
  expect(seen.answered).toEqual([]);
  expect(gap(1)?.textContent).toBe('Пропуск 1: (1)пусто');
});

test('the bank is used by keys: arrows and Enter in it, letters on a gap', async () => {
  const { gap, list } = await bank();
  await click(gap(2));
  await press(list(), 'ArrowDown');
  await press(list(), 'Enter');
  expect(seen.answered).toEqual([{ gapId: '2', optionId: '2-паром' }]);
  await press(gap(1), 'а');
  expect(seen.answered).toContainEqual({ gapId: '1', optionId: '1-льдом' });
});

test('locked gaps show their words and no bank', async () => {
  const { gap, list } = await bank({ ...banked, locked: true });
  expect(gap(1)?.disabled).toBe(true);
  expect(list()).toBeNull();
});

test('row 44: a gap for a number has a button for its sign, a gap for a word has none', async () => {
  const { box, gap } = await field();
  const signs = box.querySelectorAll('[aria-label="Сменить знак"]');
  expect(signs).toHaveLength(1);
  expect(signs[0]?.closest('strong')).not.toBeNull();
  await put(gap(1), '5');
  await click(signs[0]);
  expect(seen.answered).toEqual([{ gapId: '1', text: '−5' }]);
  await click(signs[0]);
  expect(seen.answered).toEqual([{ gapId: '1', text: '5' }]);
});

test('row 45: a gap stores no invisible characters', async () => {
  const { gap } = await field();
  await put(gap(3), 'лёд\u200B');
  expect(seen.answered).toEqual([{ gapId: '3', text: 'лёд' }]);
});
