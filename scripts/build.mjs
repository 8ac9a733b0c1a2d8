import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/project.mjs';

await main(async () => {
  // `--screens` lists what each screen weighs; later builds name those that have grown since.
  const { values } = parseArgs({
    options: { out: { type: 'string' }, screens: { type: 'boolean', default: false } },
  });
  await prepare();
  const { build } = await import('./lib/build.mjs');
  const { withLock } = await import('./lib/lock.mjs');
  await withLock(() =>
    build({
      ...(values.out === undefined ? {} : { out: resolve(values.out) }),
      listScreens: values.screens,
    }),
  );
});
