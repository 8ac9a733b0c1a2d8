import { prepare } from './lib/prepare.mjs';
import { main, say } from './lib/project.mjs';

await main(async () => {
  await prepare();
  const { cruise } = await import('./lib/imports.mjs');
  const { report, ok } = await cruise();
  say(report);
  return ok ? 0 : 1;
});
