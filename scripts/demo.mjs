import { parseArgs } from 'node:util';
import { inProject, main } from './lib/project.mjs';
import { serve } from './lib/serve.mjs';

await main(async () => {
  const { values } = parseArgs({ options: { lan: { type: 'boolean', default: false } } });
  await serve({
    DEMO: '1',
    DATA_DIR: inProject('.data', 'demo'),
    ...(values.lan ? { LAN: '1' } : { HOST: '127.0.0.1' }),
  });
});
