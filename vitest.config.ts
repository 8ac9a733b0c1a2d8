import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { globSync } from 'tinyglobby';
import { defineConfig } from 'vitest/config';
import { filesOfOtherRuns, OFTEN_TURNS, SLOW_TURNS } from './tests/turns.ts';

/** What a file replaces in a module, the next one must not get. */
const REPLACES_MODULES = /\bvi\.(?:mock|doMock|hoisted|resetModules)\b/;
const waiting = [SLOW_TURNS, OFTEN_TURNS].flatMap((turns) => filesOfOtherRuns(turns));
const replacingIn = (files: string) =>
  globSync(files, { cwd: import.meta.dirname, ignore: waiting }).filter((path) =>
    REPLACES_MODULES.test(readFileSync(new URL(path, import.meta.url), 'utf8')),
  );

const UNIT_TESTS =
  '{contract,domain,interchange,src,src-sw,server,scripts,simulation,proof}/**/*.test.ts';
const SCREEN_TESTS = 'src/**/*.test.tsx';
const unit = { environment: 'node', setupFiles: ['tests/seed.ts', 'tests/wait-limit.ts'] };

const dom = {
  environment: 'happy-dom',
  setupFiles: ['tests/wait-limit.ts'],
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
          ...unit,
          name: 'unit',
          // Files share what is loaded: half the work.
          isolate: false,
          include: [UNIT_TESTS],
          exclude: [...replacingIn(UNIT_TESTS), ...waiting],
        },
      },
      {
        extends: true,
        test: {
          ...unit,
          name: 'unit-mocks',
          include: replacingIn(UNIT_TESTS),
          setupFiles: ['tests/mocks-in-turn.ts', ...unit.setupFiles],
        },
      },
      {
        extends: true,
        test: {
          ...dom,
          name: 'dom',
          // Files share what is loaded: a third of the work.
          isolate: false,
          include: [SCREEN_TESTS],
          exclude: [...replacingIn(SCREEN_TESTS), ...waiting],
        },
      },
      {
        extends: true,
        test: {
          ...dom,
          name: 'dom-mocks',
          isolate: false,
          include: replacingIn(SCREEN_TESTS),
          setupFiles: ['tests/mocks-in-turn.ts', 'tests/own-modules.ts', 'tests/wait-limit.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: waiting,
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
