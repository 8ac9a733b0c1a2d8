import { defineConfig } from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.mjs';
import { BROWSER_TURNS, filesOfOtherRuns, OFTEN_TURNS } from '#tests/turns.ts';

export default defineConfig({
  testDir: 'e2e',
  testIgnore: [BROWSER_TURNS, OFTEN_TURNS]
    .flatMap((turns) => filesOfOtherRuns(turns))
    .map((file) => `**/${file}`),
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  // Two cores: much of a test is waiting.
  workers: 3,
  // Each test has a school of its own.
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  // A test that hangs ends; one on a busy machine has its time.
  timeout: 420_000,
  expect: { timeout: 60_000 },
  reporter: [['line'], ['json', { outputFile: 'reports/e2e.json' }]],
  use: {
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    // Between the press and the release of a click, what still moves can slide away on a busy machine.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: launchOptions(),
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium', headless: true } }],
});
