import { rows, type Client } from '#server/db/query.ts';

/** Those of a file's item sources that an owner's bank has from an import, edited since or not. */
export async function importedSources(
  db: Client,
  ownerId: string,
  sources: readonly string[],
): Promise<string[]> {
  const found = await rows<{ source: string }>(
    db,
    `select distinct question -> 'origin' ->> 'source' as source from bank_entries
     where owner_id = $1 and removed_at is null and question -> 'origin' ->> 'kind' = 'import'
       and question -> 'origin' ->> 'source' = any($2)`,
    [ownerId, sources],
  );
  return found.map(({ source }) => source);
}
