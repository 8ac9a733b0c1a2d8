import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { say } from './project.mjs';
import { run, tail } from './run.mjs';

const packages = ['chromium', 'fonts-liberation'];
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'exam-room');
const unpacked = join(cache, 'chromium');

/** Where the browser starts that an ordinary user has unpacked. */
export const unpackedBrowser = join(unpacked, 'start');

/** @param {string[]} wanted */
const asRoot = async (wanted) => {
  say(`Устанавливаем ${wanted[0]} из пакетов системы (apt). Обычно это занимает 1–3 минуты.`);
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, progress: 'устанавливаем' };
  const update = await run('apt-get', ['update', '-q'], options);
  const install = await run(
    'apt-get',
    ['install', '-y', '-q', '--no-install-recommends', ...wanted],
    options,
  );
  if (install.code !== 0) say(tail(`${update.output}\n${install.output}`, 12));
};

/**
 * apt with lists and a cache of its own: the system's belong to root and may be empty.
 * @param {string} folder
 */
const ownApt = (folder) => [
  `-oDir::State=${folder}/state`,
  '-oDir::State::status=/var/lib/dpkg/status',
  `-oDir::Cache=${folder}/cache`,
  '-oDebug::NoLocking=1',
];

/** @param {string} folder the unpacked system's root */
const startScript = (folder) => `#!/bin/sh
root='${folder}/root'
LD_LIBRARY_PATH="$root/usr/lib/chromium:$(echo "$root"/usr/lib/*-linux-gnu*):$(echo "$root"/lib/*-linux-gnu*)\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
for folder in "$root"/usr/lib/*-linux-gnu*/*/; do LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$folder"; done
FONTCONFIG_FILE='${folder}/fonts.conf'
export LD_LIBRARY_PATH FONTCONFIG_FILE
exec "$root/usr/lib/chromium/chromium" "$@"
`;

/** @param {string} folder */
const fontsConfiguration = (folder) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${folder}/root/usr/share/fonts</dir>
  <cachedir>${folder}/fontcache</cachedir>
</fontconfig>
`;

/**
 * What installing would bring: the browser and the libraries this system lacks.
 * @param {string[]} apt
 * @returns {Promise<string[]>}
 */
const missingPackages = async (apt) => {
  const { output } = await run('apt-get', [
    ...apt,
    'install',
    '--simulate',
    '--no-install-recommends',
    ...packages,
  ]);
  return [...output.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
};

/** @param {string} folder where it grows; complete only when it is renamed */
const unpack = async (folder) => {
  const apt = ownApt(folder);
  for (const part of ['state/lists/partial', 'cache/archives/partial', 'debs', 'root'])
    mkdirSync(join(folder, part), { recursive: true });
  const progress = 'скачиваем Chromium';
  const update = await run('apt-get', [...apt, 'update', '-q'], { progress });
  const wanted = await missingPackages(apt);
  if (wanted.length === 0) return say(tail(update.output, 12));
  const debs = join(folder, 'debs');
  const download = await run('apt-get', [...apt, 'download', '-q', ...wanted], {
    cwd: debs,
    progress,
  });
  if (download.code !== 0) return say(tail(download.output, 12));
  for (const name of readdirSync(debs))
    await run('dpkg-deb', ['-x', join(debs, name), join(folder, 'root')]);
  for (const part of ['state', 'cache', 'debs'])
    rmSync(join(folder, part), { recursive: true, force: true });
  writeFileSync(join(folder, 'fonts.conf'), fontsConfiguration(unpacked));
  writeFileSync(join(folder, 'start'), startScript(unpacked));
  chmodSync(join(folder, 'start'), 0o755);
  rmSync(unpacked, { recursive: true, force: true });
  return renameSync(folder, unpacked);
};

const asOrdinaryUser = async () => {
  say(`Распаковываем Chromium в ${unpacked} (пакет Debian, около 100 МБ). Обычно 1–3 минуты.`);
  const folder = `${unpacked}.${process.pid}`;
  try {
    await unpack(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Brings a browser by Debian's packages; says why when that does not work. */
export const installBrowser = async () => {
  const { code } = await run('apt-get', ['--version']);
  if (code !== 0) return;
  if (process.getuid?.() === 0) await asRoot(packages);
  else await asOrdinaryUser();
};

/**
 * Installs packages where the system has apt and the run is root's; elsewhere nothing happens.
 * @param {string[]} wanted
 */
export const installPackages = async (wanted) => {
  const { code } = await run('apt-get', ['--version']);
  if (code === 0 && process.getuid?.() === 0) await asRoot(wanted);
};
