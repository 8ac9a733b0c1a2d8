import { passThrough } from './lib/pass-through.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/project.mjs';

await main(async () => {
  await prepare();
  const { ensureBrowsers } = await import('./lib/browser.mjs');
  await ensureBrowsers();
  const { ensureBuilt } = await import('./lib/build.mjs');
  await ensureBuilt();
  return passThrough('proof/main.ts');
});
