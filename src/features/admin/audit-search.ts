import { namesakeDetail } from '#app/lib/school-queries.ts';
import * as v from 'valibot';
import { AUDIT_ACTS, AuditAct } from '#contract/admin.ts';
import { Id } from '#contract/primitives.ts';
import { AddressText, createListAddress, orNothing } from '#domain/address.ts';
import { actLabel } from '#domain/labels-audit.ts';
import { fromZonedInput, toZonedInput } from '#domain/zoned-time.ts';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import type { Filter } from '#app/ui/data/FilterBar.tsx';

const WallTime = v.pipe(
  AddressText,
  v.regex(/^(?:19[7-9]|20\d)\d-\d{2}-\d{2}T\d{2}:\d{2}$/),
  v.check((text) => toZonedInput(fromZonedInput(text, 'UTC') ?? 0, 'UTC') === text),
);

/** Whether a time field contains a valid value. */
export const isWallTime = (text: string): boolean => v.is(WallTime, text);

export const auditAddress = createListAddress({
  act: orNothing(AuditAct),
  personId: orNothing(v.pipe(AddressText, Id)),
  /** School time, `YYYY-MM-DDTHH:mm`. */
  from: orNothing(WallTime),
  /** Like `from`; the minute is included. */
  to: orNothing(WallTime),
});
export const { read: auditSearch, change: changedAudit } = auditAddress;
export type AuditSearch = ReturnType<typeof auditSearch>;

const MINUTE_MS = 60_000;

const momentOf = (wall: string | undefined, timeZone: string, after = 0): string | undefined => {
  const at = wall === undefined ? null : fromZonedInput(wall, timeZone);
  return at === null ? undefined : new Date(at + after).toISOString();
};

/** The filter for the API: UTC moments instead of school time. */
export function auditFilter(search: AuditSearch, timeZone: string) {
  const { page: _, from, to, ...same } = search;
  const [since, until] = [momentOf(from, timeZone), momentOf(to, timeZone, MINUTE_MS)];
  return {
    ...same,
    ...(since !== undefined && { from: since }),
    ...(until !== undefined && { to: until }),
  };
}

/** A person to filter the log by. */
export interface AuditPerson {
  readonly userId: string;
  readonly userName: string;
  readonly classes?: readonly string[] | undefined;
  readonly email?: string | undefined;
}

/** The filters by person and action, as stored in the URL; people are null until loaded. */
export function auditFilters(
  search: AuditSearch,
  people: readonly AuditPerson[] | null,
  onSearch: OnSearch<AuditSearch>,
): Filter[] {
  const { personId } = search;
  const isUnknown = personId !== undefined && !people?.some(({ userId }) => userId === personId);
  const change = (part: Record<string, unknown>, replace: boolean) =>
    onSearch(changedAudit(search, part), { replace });
  return [
    {
      label: 'Человек',
      isSearchable: true,
      choices: [
        { value: '', label: 'Все люди' },
        ...(people ?? []).map((person) => ({
          value: person.userId,
          label: [person.userName, namesakeDetail(person)].filter(Boolean).join(' · '),
        })),
        ...(isUnknown
          ? [
              {
                value: personId,
                label: people === null ? 'Выбранный человек' : 'Стёртая учётная запись',
              },
            ]
          : []),
      ],
      value: personId ?? '',
      onChange: (chosen, replace) =>
        change({ personId: chosen === '' ? undefined : chosen }, replace),
    },
    {
      label: 'Действие',
      choices: [
        { value: '', label: 'Все действия' },
        ...AUDIT_ACTS.map((value) => ({ value, label: actLabel(value) })),
      ],
      value: search.act ?? '',
      onChange: (act, replace) => change({ act: act === '' ? undefined : act }, replace),
    },
  ];
}
