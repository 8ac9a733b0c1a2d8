import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { globSync } from 'tinyglobby';
import { defineConfig } from 'vitest/config';

/** What a file replaces in a module, the next one must not get. */
const REPLACES_MODULES = /\bvi\.(?:mock|doMock|hoisted|resetModules)\b/;
const domTests = globSync('src/**/*.test.tsx', { cwd: import.meta.dirname });
const replacing = domTests.filter((path) =>
  REPLACES_MODULES.test(readFileSync(new URL(path, import.meta.url), 'utf8')),
);

const dom = {
  environment: 'happy-dom',
  // Students' screens name the school's zone where the device's differs.
  env: { TZ: 'Europe/Moscow' },
};

export default defineConfig({
  plugins: [react({ jsxImportSource: '#jsx' })],
  define: { __APP_VERSION__: JSON.stringify('0.0.0+test') },
  test: {
    pool: 'forks',
    // Two cores: integration tests wait for PostgreSQL and for servers to start.
    maxWorkers: 3,
    passWithNoTests: false,
    // A condition is waited for as long as a busy machine may take.
    expect: { poll: { timeout: 15_000 } },
    // A test that hangs ends; one on a busy machine has its time.
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          setupFiles: ['tests/seed.ts'],
          // Files share what is loaded: half the work.
          isolate: false,
          include: [
            '{contract,domain,interchange,src,src-sw,server,scripts,simulation,proof}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          ...dom,
          name: 'dom',
          // Files share what is loaded: a third of the work.
          isolate: false,
          include: ['src/**/*.test.tsx'],
          exclude: replacing,
        },
      },
      {
        extends: true,
        test: {
          ...dom,
          name: 'dom-mocks',
          include: replacing,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          setupFiles: ['tests/seed.ts'],
          isolate: false,
          globalSetup: ['tests/global-setup.ts'],
          testTimeout: 90_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
