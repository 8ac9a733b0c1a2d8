import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { prepareBuilt } from './prepare.mjs';
import { inProject, say } from './project.mjs';

/**
 * Runs a command of the built server with this script's own arguments; its exit code is its own.
 * @param {{name: string, help: string, asBuilt: boolean}} command asBuilt: an existing build is
 *   used unchanged, since a server may be running from it
 */
export const runBuilt = async ({ name, help, asBuilt }) => {
  if (process.argv.includes('--help') || process.argv.includes('-h')) return say(help);
  const program = inProject('dist', 'server', `${name}.js`);
  if (!asBuilt || !existsSync(program)) await prepareBuilt();
  if ((process.env['DATA_DIR'] ?? '') === '')
    process.env['DATA_DIR'] = inProject('.data', 'server');
  process.argv[1] = program;
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(program).href);
};
