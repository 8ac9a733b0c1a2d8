import { createCaller } from '#app/api/request.ts';
import { leaseLocks, webLocks } from '#app/outbox/environment.ts';
import { createOutbox } from '#app/outbox/outbox.ts';
import { loadBegin } from '#app/outbox/send-loop.ts';
import { createTransport } from '#app/outbox/transport.ts';
import { openStorage } from '#app/storage/open.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { WIRE_VERSION } from '#contract/version.ts';

// The app loads it when it is first needed. Here the speed of the disk would decide what happens meanwhile.
await loadBegin();

/** What a simulated page runs of the app; `scripts/release-client.mjs` builds the same of a release. */
export const presentApp = {
  createCaller,
  createOutbox,
  createTransport,
  leaseLocks,
  openStorage,
  StorageFailure,
  webLocks,
  wireVersion: WIRE_VERSION,
};

export type AppModules = typeof presentApp;
