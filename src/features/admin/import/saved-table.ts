/**
 * Accounts created by an import that was interrupted by the end of the session before the passwords were downloaded: a
 * table with its header.
 */
interface SavedTable {
  readonly ownId: string;
  readonly table: readonly (readonly string[])[];
}

// Only in this page's memory, and only for the administrator who created them.
let saved: SavedTable | null = null;

/** Closing or reloading loses the memory, so the browser asks first. */
const askFirst = (event: Event) => event.preventDefault();

export function retainTable(ownId: string, table: SavedTable['table']): void {
  saved = { ownId, table };
  window.addEventListener('beforeunload', askFirst);
}

/** Null: nothing was retained, or by another administrator. */
export const readSavedTable = (ownId: string): SavedTable['table'] | null =>
  saved?.ownId === ownId ? saved.table : null;

export function forgetSavedTable(): void {
  saved = null;
  window.removeEventListener('beforeunload', askFirst);
}
