import { expect, test } from 'vitest';
import type { Client } from '#server/db/query.ts';
import { loadContent } from './content.ts';

/** A database with any content, which counts its queries. */
function counting() {
  const queried: unknown[] = [];
  const query = async ({ values }: { values: readonly unknown[] }) => {
    queried.push(values[0]);
    return { rows: [{ questions: [], maxPoints: 5 }], rowCount: 1 };
  };
  return { queried, db: { query } as unknown as Client };
}

test('a content is read once; only the oldest of 500 is evicted', async () => {
  const { queried, db } = counting();
  const ids = Array.from({ length: 500 }, (_, at) => `content-${at}`);
  for (const id of ids) await loadContent(db, id);
  expect(await loadContent(db, 'content-0')).toMatchObject({ id: 'content-0', maxPoints: 5 });
  expect(queried).toEqual(ids);

  await loadContent(db, 'one more');
  await loadContent(db, 'content-1');
  await loadContent(db, 'content-499');
  expect(queried).toHaveLength(501);
  await loadContent(db, 'content-0');
  expect(queried).toHaveLength(502);
});
