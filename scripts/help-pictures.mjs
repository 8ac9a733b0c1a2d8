import { prepareBuilt } from './lib/prepare.mjs';
import { main } from './lib/project.mjs';
import { runTool } from './lib/run.mjs';

/** Takes the pictures of the help in the running app. One worker: all of them write the list of sizes. */
await main(async () => {
  await prepareBuilt();
  const { ensureBrowsers } = await import('./lib/browser.mjs');
  await ensureBrowsers();
  const { code } = await runTool(
    '@playwright/test/cli.js',
    ['test', 'e2e/help-pictures.spec.ts', '--project=chromium', '--workers=1'],
    { live: true, env: { HELP_PICTURES: '1' } },
  );
  return code;
});
