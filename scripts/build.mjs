import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/project.mjs';

await main(async () => {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  await prepare();
  const { build } = await import('./lib/build.mjs');
  const { withLock } = await import('./lib/lock.mjs');
  await withLock(() => build(values.out === undefined ? undefined : resolve(values.out)));
});
