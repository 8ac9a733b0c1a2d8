import fc from 'fast-check';

// Random tests are the same each time, so that a red run is about its change; `FC_SEED` explores further.
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_121) });
