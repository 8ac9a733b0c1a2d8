import type { TestOrder } from '#contract/tests.ts';
import { DIFFICULTY_CHOICES, SUBJECT_CHOICES } from '#domain/choices.ts';
import { TEST_STATUSES, testStatusLabel } from '#domain/labels-status.ts';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import type { Filter } from '#app/ui/data/FilterBar.tsx';
import type { Choice } from '#app/ui/forms/SelectField.tsx';
import { changed, type ListSearch } from './list-search.ts';

const orders = (first: string): Choice<TestOrder>[] => [
  { value: 'new', label: first },
  { value: 'name', label: 'По названию' },
  { value: 'deadline', label: 'По сроку' },
  { value: 'points', label: 'По баллам' },
];

const statuses = TEST_STATUSES.map((value) => ({ value, label: testStatusLabel(value) }));

const any = (label: string): Choice => ({ value: '', label });

/** The filters and the order of a test list, as stored in the URL. */
export function listFilters(
  search: ListSearch,
  onSearch: OnSearch<ListSearch>,
  firstOrder = 'Сначала новые',
): Filter[] {
  const filter = (
    key: 'subject' | 'difficulty' | 'status',
    label: string,
    choices: readonly Choice[],
  ): Filter => ({
    label,
    choices,
    value: search[key] ?? '',
    onChange: (value, replace) => onSearch(changed(search, { [key]: value }), { replace }),
  });
  return [
    filter('subject', 'Предмет', [any('Все предметы'), ...SUBJECT_CHOICES]),
    filter('difficulty', 'Сложность', [any('Любая сложность'), ...DIFFICULTY_CHOICES]),
    filter('status', 'Статус', [any('Любой статус'), ...statuses]),
    {
      label: 'Порядок',
      choices: orders(firstOrder),
      value: search.sortOrder ?? 'new',
      onChange: (sortOrder, replace) => onSearch(changed(search, { sortOrder }), { replace }),
      isOrder: true,
    },
  ];
}
