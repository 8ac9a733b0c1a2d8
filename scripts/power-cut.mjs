import { passThrough } from './lib/pass-through.mjs';
import { main } from './lib/project.mjs';

await main(() => passThrough('tests/power-cut/main.ts'));
