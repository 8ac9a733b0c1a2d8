import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { main, say } from './lib/project.mjs';
import { runTool } from './lib/run.mjs';

/** `npm run test:changed [-- commit] [--browser]`: what is next to a change, within a minute or so. */
await main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { browser: { type: 'boolean', default: false } },
  });
  await prepare();
  const { findChanged, findSpecs, findTests } = await import('./lib/changed-tests.mjs');
  const changed = findChanged(positionals[0] ?? 'HEAD');
  const tests = findTests(changed);
  const specs = findSpecs(changed);
  say(`Изменено файлов: ${changed.length}, тестов к ним: ${tests.length}.`);
  let failed = false;
  if (tests.length > 0) {
    const { code } = await runTool('vitest/vitest.mjs', ['run', '--reporter=dot', ...tests], {
      live: true,
    });
    failed = code !== 0;
  }
  if (specs.length === 0) return failed ? 1 : 0;
  if (!values.browser) {
    say(`Тесты в браузере (с параметром --browser):\n${specs.join('\n')}`);
    return failed ? 1 : 0;
  }
  const { ensureBuilt } = await import('./lib/build.mjs');
  await ensureBuilt();
  const { code } = await runTool(
    '@playwright/test/cli.js',
    ['test', '--project=chromium', '--reporter=line', ...specs],
    { live: true },
  );
  return failed || code !== 0 ? 1 : 0;
});
