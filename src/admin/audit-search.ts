import * as v from 'valibot';
import { AUDIT_ACTS, AuditAct } from '#contract/admin.ts';
import { AddressSearch, LaterPage, orNothing, readAddress } from '#domain/address.ts';
import type { Filter } from '#app/ui/FilterBar.tsx';
import { actLabel } from './audit-words.ts';

/** What of the log stands in the URL; what is absent is as it is by default. */
export interface AuditSearch {
  searchQuery?: string;
  act?: AuditAct;
  page?: number;
}

export type OnAuditSearch = (search: AuditSearch, how: { replace: boolean }) => void;

const Given = v.object({
  searchQuery: orNothing(AddressSearch),
  act: orNothing(AuditAct),
  page: orNothing(LaterPage),
});

/** The state of the log by its URL; a value that cannot be is as if it were not there. */
export function auditSearch(given: Record<string, unknown>): AuditSearch {
  return readAddress(Given, given);
}

/** The state after a change; everything but a turned page leads to the first one. */
export function changedAudit(search: AuditSearch, part: Record<string, unknown>): AuditSearch {
  const { page: _, ...rest } = search;
  return auditSearch({ ...rest, ...part });
}

/** The filter by kind of act, as the URL has it. */
export function auditFilters(search: AuditSearch, onSearch: OnAuditSearch): Filter[] {
  return [
    {
      label: 'Действие',
      choices: [
        { value: '', label: 'Все действия администраторов' },
        ...AUDIT_ACTS.map((value) => ({ value, label: actLabel(value) })),
      ],
      value: search.act ?? '',
      onChange: (act, replace) =>
        onSearch(changedAudit(search, { act: act === '' ? undefined : act }), { replace }),
    },
  ];
}
