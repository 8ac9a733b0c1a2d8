import { requireBrowser } from '#scripts/lib/browser.mjs';
import { startTestPostgres } from '#tests/postgres.ts';

/** One PostgreSQL for the run; its address reaches the workers through the environment. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  requireBrowser();
  const postgres = await startTestPostgres();
  process.env['E2E_POSTGRES_URL'] = postgres.url;
  return postgres.stop;
}
