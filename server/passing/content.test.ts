import { expect, test } from 'vitest';
import type { Client } from '#server/db/query.ts';
import { loadContent } from './content.ts';

/** A database with any content, which counts its queries. */
function counting() {
  const asked: unknown[] = [];
  const query = async ({ values }: { values: readonly unknown[] }) => {
    asked.push(values[0]);
    return { rows: [{ questions: [], maxPoints: 5 }], rowCount: 1 };
  };
  return { asked, db: { query } as unknown as Client };
}

test('a content is read once; of 500 the oldest gives way, and no other', async () => {
  const { asked, db } = counting();
  const ids = Array.from({ length: 500 }, (_, at) => `content-${at}`);
  for (const id of ids) await loadContent(db, id);
  expect(await loadContent(db, 'content-0')).toMatchObject({ id: 'content-0', maxPoints: 5 });
  expect(asked).toEqual(ids);

  await loadContent(db, 'one more');
  await loadContent(db, 'content-1');
  await loadContent(db, 'content-499');
  expect(asked).toHaveLength(501);
  await loadContent(db, 'content-0');
  expect(asked).toHaveLength(502);
});
