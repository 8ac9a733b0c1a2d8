import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { speakablePassword } from '#server/auth/first-admin.ts';
import type { Deps } from '#server/deps.ts';
import { type Environment, isLoopback } from '#server/environment.ts';
import { DEMO_PASSWORD } from './people.ts';
import { seedProjects } from './seed-projects.ts';
import { seedDemo } from './seed.ts';

/** The demo's own password for a network, generated once and stored. */
async function ownPassword(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'lan');
  const path = join(folder, 'demo-password.txt');
  try {
    const stored = (await readFile(path, 'utf8')).trim();
    if (stored !== '') return stored;
  } catch {
    // Created below: this is the first start in a network.
  }
  const password = speakablePassword();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  return password;
}

const WARNING = [
  '',
  '  ВНИМАНИЕ: сервер виден другим устройствам, а пароли демонстрации общеизвестны.',
  '  Войти сможет любой, кто дойдёт до этого адреса, в том числе администратором.',
  '  Не храните здесь настоящих данных.',
  '',
];

/** Prints the accounts, and a warning when their public password is open to the network. */
function demoLines(password: string, environment: Environment): string[] {
  const isPublic = password === DEMO_PASSWORD && !isLoopback(environment.HOST);
  return [
    `Учётные записи демонстрации, пароль у всех ${password}:`,
    '  student@demo.ru — ученица, teacher@demo.ru — преподаватель, admin@demo.ru — администратор,',
    '  student01@demo.ru … student30@demo.ru — класс «9А».',
    ...(isPublic ? WARNING : []),
  ];
}

/**
 * Plants the demo for today. In a network its accounts get a password of their own by default.
 *
 * @returns lines that name the accounts
 */
export async function prepareDemo(environment: Environment, deps: Deps): Promise<string[]> {
  const isOwn = environment.LAN && environment.DEMO_PASSWORDS !== 'public';
  const password = isOwn ? await ownPassword(environment.DATA_DIR) : DEMO_PASSWORD;
  const now = deps.clock();
  await seedDemo(deps.pool, { now, password, dataDir: deps.dataDir });
  await seedProjects(deps, now);
  return demoLines(password, environment);
}
