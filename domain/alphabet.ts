const collator = new Intl.Collator('ru', { numeric: true });

/** «9А» comes before «10Б», and «Ёлкин» between «Егоров» and «Жуков»; a database's locale may not know it. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b);

/** Items by name, equal names by id. */
export const inAlphabet = <T>(
  items: readonly T[],
  keyOf: (item: T) => { readonly name: string; readonly id: string },
): T[] =>
  [...items].sort((itemA, itemB) => {
    const [a, b] = [keyOf(itemA), keyOf(itemB)];
    return compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1);
  });
