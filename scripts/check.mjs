import { prepare } from './lib/prepare.mjs';
import { main } from './lib/project.mjs';

await main(async () => {
  await prepare();
  const { runChecks } = await import('./lib/checks.mjs');
  const { failed } = await runChecks();
  return failed === 0 ? 0 : 1;
});
