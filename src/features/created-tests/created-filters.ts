import type { TestOrder } from '#contract/tests.ts';
import { SUBJECT_CHOICES } from '#domain/choices.ts';
import { OWNER_STATUSES, testStatusLabel } from '#domain/labels-status.ts';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import type { Filter } from '#app/ui/data/FilterBar.tsx';
import type { Choice } from '#app/ui/forms/SelectField.tsx';
import { changedSearch, type CreatedSearch } from './created-search.ts';

const ORDERS: readonly Choice<TestOrder>[] = [
  { value: 'new', label: 'Сначала новые' },
  { value: 'name', label: 'По названию' },
  { value: 'deadline', label: 'По сроку' },
  { value: 'points', label: 'По баллам' },
];

const lifecycles = OWNER_STATUSES.map((value) => ({ value, label: testStatusLabel(value) }));

/** The filters and the order of the list, as stored in the URL; admins may see everyone's tests. */
export function createdFilters(
  search: CreatedSearch,
  onSearch: OnSearch<CreatedSearch>,
  isAdmin: boolean,
): Filter[] {
  const change = (part: Record<string, unknown>, replace: boolean) =>
    onSearch(changedSearch(search, part), { replace });
  const filters: Filter[] = [
    {
      label: 'Предмет',
      choices: [{ value: '', label: 'Все предметы' }, ...SUBJECT_CHOICES],
      value: search.subject ?? '',
      onChange: (subject, replace) => change({ subject }, replace),
    },
    {
      label: 'Состояние',
      choices: [{ value: '', label: 'Любое состояние' }, ...lifecycles],
      value: search.status ?? '',
      onChange: (status, replace) => change({ status }, replace),
    },
    {
      label: 'Порядок',
      choices: ORDERS,
      value: search.sortOrder ?? 'new',
      onChange: (sortOrder, replace) => change({ sortOrder }, replace),
      isOrder: true,
    },
  ];
  if (!isAdmin) return filters;
  return [
    {
      label: 'Чьи',
      choices: [
        { value: '', label: 'Мои тесты' },
        { value: '1', label: 'Тесты всех' },
      ],
      value: search.everyones ?? '',
      onChange: (everyones, replace) => change({ everyones }, replace),
    },
    ...filters,
  ];
}
