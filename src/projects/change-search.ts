import { adminProjectSearch, type AdminProjectSearch } from './project-search.ts';

/** The state after a change; an empty value goes, and all but a turned page lead to the first one. */
export function changed(
  search: AdminProjectSearch,
  part: Record<string, unknown>,
): AdminProjectSearch {
  const { page: _, ...rest } = search;
  return adminProjectSearch({ ...rest, ...part });
}
