import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.mjs';

/** Used only by `browser-kills.ts`; `npm test` runs the browser tests of `e2e`. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: '../e2e/global-setup.ts',
  outputDir: '../test-results/proof',
  workers: availableParallelism(),
  fullyParallel: true,
  retries: 0,
  timeout: 600_000,
  expect: { timeout: 60_000 },
  use: { browserName: 'chromium', trace: 'off', launchOptions: launchOptions() },
});
