import type { AppModules } from './app-modules.ts';

const RELEASE = new URL('../tests/release/1.0.0.js', import.meta.url).href;

let loading: Promise<AppModules> | undefined;

/** The modules of release 1.0.0 as `node scripts/release-client.mjs` built them. */
export function loadReleasedApp(): Promise<AppModules> {
  loading ??= (import(RELEASE) as Promise<{ presentApp: AppModules }>).then(
    ({ presentApp }) => presentApp,
  );
  return loading;
}
