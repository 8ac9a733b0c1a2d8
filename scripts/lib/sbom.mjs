import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './install.mjs';
import { ScriptError } from './project.mjs';
import { run, tail } from './run.mjs';

/**
 * Writes what the build is made of, from the lockfile: CycloneDX, with the packages that the app carries.
 * @param {string} out
 * @throws {ScriptError} when npm cannot
 */
export const writeSbom = async (out) => {
  const [command, first] = npm();
  const { code, output } = await run(command, [
    ...first,
    'sbom',
    '--sbom-format=cyclonedx',
    '--package-lock-only',
    '--loglevel=error',
  ]);
  if (code !== 0)
    throw new ScriptError(`Не составляется список пакетов (SBOM):\n${tail(output, 20)}`);
  writeFileSync(join(out, 'sbom.cdx.json'), output);
};
