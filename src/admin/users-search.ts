import * as v from 'valibot';
import { ADMIN_USER_ORDERS, AdminUserOrder, AdminUserState } from '#contract/admin.ts';
import { RoleNumber } from '#contract/auth.ts';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery } from '#contract/tests.ts';
import { roleLabel } from '#domain/labels.ts';
import type { Filter } from '#app/ui/FilterBar.tsx';

type Order = v.InferOutput<typeof AdminUserOrder>;

/** What of the accounts stands in the URL; what is absent is as it is by default. */
export interface UsersSearch {
  searchQuery?: string;
  role?: RoleNumber;
  state?: 'active' | 'blocked';
  sortOrder?: Order;
  page?: number;
  /** The import stands in place of the list. */
  view?: 'import';
}

export type OnUsersSearch = (search: UsersSearch, how: { replace: boolean }) => void;

// The router reads `?searchQuery=2` as a number and `true` as a boolean.
const Typed = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  SearchQuery,
  v.nonEmpty(),
);

const orNothing = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

const Given = v.object({
  searchQuery: orNothing(Typed),
  role: orNothing(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), RoleNumber)),
  state: orNothing(v.pipe(AdminUserState, v.picklist(['active', 'blocked']))),
  sortOrder: orNothing(v.pipe(AdminUserOrder, v.notValue('name'))),
  page: orNothing(v.pipe(PositiveInteger, v.minValue(2))),
  view: orNothing(v.literal('import')),
});

/** The state of the list by its URL; a value that cannot be is as if it were not there. */
export function usersSearch(given: Record<string, unknown>): UsersSearch {
  const values = v.parse(Given, given);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The state after a change; everything but a turned page leads to the first one. */
export function changedUsers(search: UsersSearch, part: Record<string, unknown>): UsersSearch {
  const { page: _, ...rest } = search;
  return usersSearch({ ...rest, ...part });
}

/** Whether fewer than all accounts are asked for. */
export const isNarrowed = ({ searchQuery, role, state }: UsersSearch): boolean =>
  [searchQuery, role, state].some((value) => value !== undefined);

const ORDER_WORDS: Readonly<Record<Order, string>> = {
  name: 'По имени',
  new: 'Сначала новые',
  seen: 'По последнему входу',
};

/** The filters of the list and its order, as the URL has them. */
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
      choices: ADMIN_USER_ORDERS.map((value) => ({ value, label: ORDER_WORDS[value] })),
      value: search.sortOrder ?? 'name',
      onChange: change('sortOrder'),
      isOrder: true,
    },
  ];
}
