import { vi } from 'vitest';

/** As `expect.poll` in vitest.config.ts: a condition is waited for as long as a busy machine may take. */
const LIMIT_MS = 15_000;

const { waitFor } = vi;
const waitLonger: typeof waitFor = (callback, options = LIMIT_MS) => waitFor(callback, options);
// Files of one process share `vi`.
if (waitFor.name !== waitLonger.name) vi.waitFor = waitLonger;
