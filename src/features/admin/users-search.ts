import * as v from 'valibot';
import { ADMIN_USER_ORDERS, AdminUserOrder, AdminUserState } from '#contract/admin.ts';
import { RoleNumber } from '#contract/auth.ts';
import { createListAddress, orNothing } from '#domain/address.ts';
import { roleLabel } from '#domain/labels.ts';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import type { Filter } from '#app/ui/data/FilterBar.tsx';

type Order = v.InferOutput<typeof AdminUserOrder>;

export const usersAddress = createListAddress({
  role: orNothing(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), RoleNumber)),
  state: orNothing(v.pipe(AdminUserState, v.picklist(['active', 'blocked', 'erased']))),
  sortOrder: orNothing(v.pipe(AdminUserOrder, v.notValue('name'))),
  /** The import is shown instead of the list. */
  view: orNothing(v.literal('import')),
});
export const { read: usersSearch, change: changedUsers } = usersAddress;
export type UsersSearch = ReturnType<typeof usersSearch>;

const ORDER_LABELS: Readonly<Record<Order, string>> = {
  name: 'По имени',
  new: 'Сначала новые',
  seen: 'По последнему входу',
};

/** The filters and the order of the list, as stored in the URL. */
export function usersFilters(search: UsersSearch, onSearch: OnSearch<UsersSearch>): Filter[] {
  const change = (key: keyof UsersSearch) => (value: string, replace: boolean) =>
    onSearch(changedUsers(search, { [key]: value === '' ? undefined : value }), { replace });
  return [
    {
      label: 'Роль',
      choices: [
        { value: '', label: 'Все роли' },
        ...([0, 2, 1] as const).map((role) => ({ value: String(role), label: roleLabel(role) })),
      ],
      value: search.role === undefined ? '' : String(search.role),
      onChange: change('role'),
    },
    {
      label: 'Состояние',
      choices: [
        { value: '', label: 'Все состояния' },
        { value: 'active', label: 'Действуют' },
        { value: 'blocked', label: 'Заблокированы' },
        { value: 'erased', label: 'Стёрты, остались тесты или классы' },
      ],
      value: search.state ?? '',
      onChange: change('state'),
    },
    {
      label: 'Порядок',
      choices: ADMIN_USER_ORDERS.map((value) => ({ value, label: ORDER_LABELS[value] })),
      value: search.sortOrder ?? 'name',
      onChange: change('sortOrder'),
      isOrder: true,
    },
  ];
}
