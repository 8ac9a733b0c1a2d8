import { inProject, main } from './lib/project.mjs';
import { serve } from './lib/serve.mjs';

await main(() => serve({ HOST: '127.0.0.1', DATA_DIR: inProject('.data', 'server') }));
