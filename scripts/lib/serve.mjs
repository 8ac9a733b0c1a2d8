import { pathToFileURL } from 'node:url';
import { prepareBuilt } from './prepare.mjs';
import { inProject } from './project.mjs';

/**
 * Makes everything ready and becomes the server: its signals and its exit code are its own.
 * @param {Record<string, string>} defaults environment that the caller's own values override
 */
export const serve = async (defaults) => {
  await prepareBuilt();
  const fallback = { NODE_ENV: 'production', PORT: '3000', ...defaults };
  for (const [name, value] of Object.entries(fallback))
    if ((process.env[name] ?? '') === '') process.env[name] = value;
  const server = inProject('dist', 'server', 'main.js');
  process.argv[1] = server;
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(server).href);
};
