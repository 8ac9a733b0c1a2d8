import { afterAll, vi } from 'vitest';

/** Files of one process share packages and the window, but no module of ours: each replaces others. */
vi.resetModules();
// A link that was followed in another file.
if ('happyDOM' in window)
  (window.happyDOM as { setURL: (url: string) => void }).setURL('http://localhost:3000/');
// What this file began to import must not end up among the next one's modules.
afterAll(() => vi.dynamicImportSettled());
