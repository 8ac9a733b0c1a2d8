import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { stableId } from '#server/ids.ts';

export const personId = (email: string): string => stableId(`person/${email}`);

/** Warns when a server for real use runs on a demo database. */
export async function realLines(deps: Pick<Deps, 'pool'>): Promise<string[]> {
  const planted = await one(deps.pool, 'select 1 from users where id = $1', [
    personId('admin@demo.ru'),
  ]);
  return planted
    ? ['ВНИМАНИЕ: в этой базе есть учётные записи демонстрации с общеизвестными паролями.']
    : [];
}
