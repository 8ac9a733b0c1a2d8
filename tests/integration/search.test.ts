import { afterAll, beforeAll, expect, test } from 'vitest';
import { one } from '#server/db/query.ts';
import { searchableText } from '#domain/search.ts';
import { folded } from '#server/db/search.ts';
import { createTestDatabase } from '#tests/database.ts';
import type { TestDatabase } from '#tests/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a search folds Russian case and ё in a database with locale C, as in the typed text', async () => {
  const text = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ абвгдеёжзийклмнопрстуфхцчшщъыьэюя ABC';
  const row = await one<{ found: string }>(
    database.pool,
    `select ${folded('($1::text collate "C")')} as found`,
    [text],
  );
  expect(row?.found).toBe(searchableText(text));
});
