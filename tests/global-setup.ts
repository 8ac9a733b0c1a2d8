import type { TestProject } from 'vitest/node';
import { startTestPostgres, type TestPostgres } from './postgres.ts';

let postgres: TestPostgres | undefined;

/** One PostgreSQL for the whole run; every test file clones a database of its own on it. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await startTestPostgres();
  project.provide('postgres', { url: postgres.url });
}

export async function teardown(): Promise<void> {
  await postgres?.stop();
}
