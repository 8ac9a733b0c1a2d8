import { inject } from 'vitest';
import { cloneDatabase, type TestDatabase } from './postgres.ts';

/** A fresh migrated database for a test file, on the run's PostgreSQL. `drop` it when done. */
export function createTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  return cloneDatabase(inject('postgres').url, options.poolSize);
}
