import * as v from 'valibot';
import { ADMIN_USER_ORDERS, AdminUserOrder, AdminUserState } from '#contract/admin.ts';
import { RoleNumber } from '#contract/auth.ts';
import { AddressSearch, LaterPage, orNothing, readAddress } from '#domain/address.ts';
import { roleLabel } from '#domain/labels.ts';
import type { Filter } from '#app/ui/data/FilterBar.tsx';

type Order = v.InferOutput<typeof AdminUserOrder>;

/** Search parameters in the URL; absent ones have their default. */
export interface UsersSearch {
  searchQuery?: string;
  role?: RoleNumber;
  state?: 'active' | 'blocked';
  sortOrder?: Order;
  page?: number;
  /** The import is shown instead of the list. */
  view?: 'import';
}

export type OnUsersSearch = (search: UsersSearch, how: { replace: boolean }) => void;

const Given = v.object({
  searchQuery: orNothing(AddressSearch),
  role: orNothing(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), RoleNumber)),
  state: orNothing(v.pipe(AdminUserState, v.picklist(['active', 'blocked']))),
  sortOrder: orNothing(v.pipe(AdminUserOrder, v.notValue('name'))),
  page: orNothing(LaterPage),
  view: orNothing(v.literal('import')),
});

/** Parses the search parameters; invalid values are dropped. */
export function usersSearch(given: Record<string, unknown>): UsersSearch {
  return readAddress(Given, given);
}

/** Applies a change; anything but a page change returns to the first page. */
export function changedUsers(search: UsersSearch, part: Record<string, unknown>): UsersSearch {
  const { page: _, ...rest } = search;
  return usersSearch({ ...rest, ...part });
}

/** Whether search or a filter narrows the list. */
export const isNarrowed = ({ searchQuery, role, state }: UsersSearch): boolean =>
  [searchQuery, role, state].some((value) => value !== undefined);

const ORDER_LABELS: Readonly<Record<Order, string>> = {
  name: 'По имени',
  new: 'Сначала новые',
  seen: 'По последнему входу',
};

/** The filters and the order of the list, as stored in the URL. */
export function usersFilters(search: UsersSearch, onSearch: OnUsersSearch): Filter[] {
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
