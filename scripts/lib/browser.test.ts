import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { inProject } from './project.mjs';

/** Evaluates a script where no browser is to be found. */
function runWithoutBrowser(script: string) {
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: inProject(),
    encoding: 'utf8',
    env: {
      PATH: '/nowhere',
      HOME: '/nowhere',
      PLAYWRIGHT_BROWSERS_PATH: '/nowhere',
      XDG_CACHE_HOME: '/nowhere',
    },
  });
}

test('the configurations of browser tests load before a browser is installed, as checks of the code need', () => {
  const configs = ['./playwright.config.ts', './proof/playwright.config.ts'];
  const loads = configs.map((config) => `await import('${config}');`).join('');
  const { stderr, status } = runWithoutBrowser(loads);
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('a run without a browser says so', () => {
  const { stderr } = runWithoutBrowser(
    `import { requireBrowser } from './scripts/lib/browser.mjs'; requireBrowser();`,
  );
  expect(stderr).toContain('Нет браузера для тестов');
});
