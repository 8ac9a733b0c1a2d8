/** What an import has made when a sign-in ends before its passwords were taken away: a table with its head. */
interface Kept {
  readonly ownId: string;
  readonly table: readonly (readonly string[])[];
}

// In the memory of this page alone, and for the administrator alone who made them.
let kept: Kept | null = null;

/** A page that is closed or loaded anew has no memory: the browser asks first. */
const askFirst = (event: Event) => event.preventDefault();

export function keepMade(ownId: string, table: Kept['table']): void {
  kept = { ownId, table };
  window.addEventListener('beforeunload', askFirst);
}

/** Null: nothing was left behind, or by somebody else. */
export const keptFor = (ownId: string): Kept['table'] | null =>
  kept?.ownId === ownId ? kept.table : null;

export function forgetKept(): void {
  kept = null;
  window.removeEventListener('beforeunload', askFirst);
}
