import { pageConfig } from './call.ts';
import { createWatcher } from './watch.ts';

/**
 * Reads a route of server-sent events as the signed-in user. Separate from `call`, so that screens
 * without a stream do not load the reader.
 */
export const watch = createWatcher(pageConfig);
