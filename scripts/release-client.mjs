import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { inProject, main, root, say, ScriptError } from './lib/project.mjs';

const ENTRY = 'simulation/app-modules.ts';
const SOURCES = ['contract', 'domain', 'src', 'simulation', 'package.json'];

/** @param {string} commit @param {string} folder where its sources are unpacked */
function unpack(commit, folder) {
  const archive = execFileSync('git', ['archive', commit, ...SOURCES], {
    cwd: root,
    maxBuffer: 512 * 1024 * 1024,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'));
  copyFileSync(inProject(ENTRY), join(folder, ENTRY));
}

/** @param {string} folder @returns {Promise<string>} the modules of `ENTRY` with ours that they import, in one file */
async function bundle(folder) {
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'node20',
      lib: { entry: join(folder, ENTRY), formats: ['es'], fileName: 'client' },
      // Packages are not our code: they are imported from node_modules.
      rolldownOptions: { external: /^[a-z@]/i, output: { codeSplitting: false } },
      minify: false,
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new ScriptError('Сборка не удалась.');
  return output.output[0].code;
}

/**
 * `node scripts/release-client.mjs COMMIT`: builds what a simulated page runs of a release and writes it to
 * `tests/release/VERSION.js`. It imports the installed versions of its packages.
 */
await main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [commit] = positionals;
  if (commit === undefined) throw new ScriptError('Укажите коммит выпуска.');
  const folder = mkdtempSync(join(tmpdir(), 'exam-room-release-'));
  try {
    unpack(commit, folder);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const code = await bundle(folder);
    const name = join('tests', 'release', `${version}.js`);
    writeFileSync(
      inProject(name),
      `// Built by scripts/release-client.mjs from ${commit}.\n${code}`,
    );
    say(`${name}: ${Math.round(code.length / 1024)} КБ`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
});
