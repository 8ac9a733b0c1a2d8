import { act, useEffect, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { AddressText, createListAddress, orNothing } from '#domain/address.ts';
import { TESTS } from '#domain/format.ts';
import type { PageData } from '#app/lib/use-page-query.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { ListFilters } from './ListFilters.tsx';
import { ListPage } from './ListPage.tsx';
import { useList, type ListData } from './use-list.ts';

interface Names extends ListData {
  items: readonly string[];
}
type Query = Partial<PageData<Names>>;

const address = createListAddress({ sort: orNothing(AddressText), tag: orNothing(AddressText) });
type Search = ReturnType<typeof address.read>;

let shown: Rendered;
let visited: { search: Search; replace: boolean }[];
let answer: (query: Query) => void;

const page = (items: readonly string[], total = items.length): Query => ({
  data: { items, total },
});

function Screen({ first, query, leadsOn = false }: Given) {
  const [search, setSearch] = useState(first);
  const [state, setState] = useState(query);
  useEffect(() => {
    answer = setState;
  }, []);
  const list = useList<Search, Names>({
    query: { data: undefined, problem: null, retry: () => undefined, isPrevious: false, ...state },
    search,
    onSearch: (next, { replace }) => {
      visited.push({ search: next, replace });
      setSearch(next);
      // As `keepPreviousData` does.
      setState((before) => ({ ...before, isPrevious: true }));
    },
    address,
    pageSize: 20,
    leadsOn,
  });
  return (
    <ListPage
      list={list}
      counted={TESTS}
      controls={
        <ListFilters
          list={list}
          counted={TESTS}
          search={{ label: 'Поиск', placeholder: 'Найти', shortPlaceholder: 'Найти' }}
          filters={[]}
        />
      }
      none={<p>Пока пусто</p>}
      nothing={{ message: 'Измените запрос.' }}
    >
      {({ items }) => items.map((name) => <p key={name}>{name}</p>)}
    </ListPage>
  );
}

interface Given {
  first: Search;
  query: Query;
  leadsOn?: boolean | null;
}

async function open(first: Search, query: Query, leadsOn: boolean | null = false): Promise<void> {
  visited = [];
  shown = await render(<Screen first={first} query={query} leadsOn={leadsOn} />);
}

afterEach(() => shown.unmount());

const text = () => shown.container.textContent;
const announced = () =>
  [...shown.container.querySelectorAll('output')].map((output) => output.textContent).join('');
const field = () => shown.container.querySelector('input');
const button = (label: string) =>
  [...shown.container.querySelectorAll('button')].find(({ textContent }) => textContent === label);
const isSearchVisible = () => {
  const input = field();
  return input !== null && getComputedStyle(input).visibility !== 'hidden';
};
const FULL = Array.from({ length: 20 }, (_, index) => `Тест ${index + 1}`);

test('the number of entries is announced with the part shown, never that of the previous search', async () => {
  await open({}, page(['Силы']));
  expect(announced()).toBe('Найдено: 1 тест');
  await act(async () => answer({ ...page(['Силы']), isPrevious: true }));
  expect(announced()).toBe('');
  await act(async () => answer(page(FULL, 45)));
  expect(announced()).toBe('Найдено: 45 тестов, показаны 1–20 из 45');
});

test('a page beyond the last leads to the last one without a history entry', async () => {
  await open({ tag: 'ЕГЭ', page: 9 }, page([], 45));
  expect(visited).toEqual([{ search: { tag: 'ЕГЭ', page: 3 }, replace: true }]);
  expect(text()).not.toContain('Ничего не найдено');
  expect(shown.container.querySelector('nav')).not.toBeNull();
});

test('a page without its last entry leads to the previous page', async () => {
  await open({ page: 2 }, page(['Последний'], 21));
  expect(visited).toEqual([]);
  await act(async () => answer({ ...page([], 20), isPrevious: true }));
  expect(visited).toEqual([]);
  await act(async () => answer(page([], 20)));
  expect(visited).toEqual([{ search: {}, replace: true }]);
});

test('if nothing is found, a button clears search and filters, not the order, and focuses the search', async () => {
  await open({ searchQuery: 'нет', tag: 'ЕГЭ', sort: 'name', page: 2 }, page([]));
  visited = [];
  expect(text()).toContain('Ничего не найдено');
  expect(text()).not.toContain('Пока пусто');
  await click(button('Сбросить фильтры'));
  expect(visited).toEqual([{ search: { sort: 'name' }, replace: false }]);
  expect(document.activeElement).toBe(field());
});

test('an empty list never shows a search: not while it is loading, not after it', async () => {
  await open({}, {});
  expect(isSearchVisible()).toBe(false);
  // Its room is reserved.
  expect(field()).not.toBeNull();
  await act(async () => answer(page([])));
  expect(text()).toBe('Найдено: 0 тестовПока пусто');
  expect(field()).toBeNull();
});

test('a list with entries shows its search with them', async () => {
  await open({}, {});
  const before = field();
  await act(async () => answer(page(['Силы'])));
  expect(isSearchVisible()).toBe(true);
  expect(field()).toBe(before);
});

test('the search of a narrowed list is shown and stays', async () => {
  await open({ searchQuery: 'нет' }, {});
  expect(isSearchVisible()).toBe(true);
  await act(async () => answer(page([])));
  expect(isSearchVisible()).toBe(true);
});

test('an empty list that leads to other lists shows its controls', async () => {
  await open({}, page([]), true);
  expect(isSearchVisible()).toBe(true);
  expect(text()).toContain('Пока пусто');
});

test('as long as it is unknown whether the controls lead on, an empty list shows none', async () => {
  await open({}, page([]), null);
  expect(isSearchVisible()).toBe(false);
});

test.each([
  ['an unknown list', {}, false],
  ['a narrowed one', { searchQuery: 'силы' }, true],
])('%s that does not load shows why', async (_, first, withSearch) => {
  await open(first, { problem: new Error('нет') });
  expect(button('Повторить')).toBeDefined();
  expect(isSearchVisible()).toBe(withSearch);
  await act(async () => answer(page(['Силы'])));
  expect(isSearchVisible()).toBe(true);
  expect(text()).toContain('Силы');
});
