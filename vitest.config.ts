import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

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
          name: 'dom',
          environment: 'happy-dom',
          include: ['src/**/*.test.tsx'],
          // Students' screens name the school's zone where the device's differs.
          env: { TZ: 'Europe/Moscow' },
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
