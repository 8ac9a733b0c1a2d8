import { adminProjectSearch, type AdminProjectSearch } from './project-search.ts';

/** Applies a change; empty values are removed, anything but a page change returns to the first page. */
export function changed(
  search: AdminProjectSearch,
  part: Record<string, unknown>,
): AdminProjectSearch {
  const { page: _, ...rest } = search;
  return adminProjectSearch({ ...rest, ...part });
}
