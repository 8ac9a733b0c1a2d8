import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { prepare } from './lib/prepare.mjs';
import { inProject, main, say } from './lib/project.mjs';
import { countReport, countVitest } from './lib/reports.mjs';
import { runTool } from './lib/run.mjs';

/** What an attacker tries, by the files that try it against the real server and a real database. */
const PARTS = /** @type {const} */ ([
  [
    'Каждый вызов от каждой роли и не своего владельца',
    ['role-matrix', 'foreign-class', 'pictures'],
  ],
  ['Негодные и враждебные тела, адреса и заголовки', ['bad-input', 'security', 'search']],
  ['Тела запросов, которые дороже своей длины', ['body-costs']],
  ['Ключи, которые можно вычислить', ['computable-keys', 'stored-questions']],
  ['Ответы после результата', ['passing-late']],
  ['Пределы ответов, файлов и диска', ['passing-limits', 'journal-size']],
  ['Подбор паролей и закрытие входа', ['sign-in-limits', 'auth', 'reset-password']],
  ['Второй шаг входа и подтверждения', ['second-factor']],
  ['Журнал действий', ['audit-acts', 'audit-log', 'rename']],
  ['Гонки вызовов и стирание данных', ['overtaken-calls', 'passing-races', 'erasure']],
]);

const report = inProject('reports', 'audit.json');

/** @param {string} name */
const fileOf = (name) => `tests/integration/${name}.test.ts`;

await main(async () => {
  await prepare();
  rmSync(report, { force: true });
  mkdirSync(inProject('reports'), { recursive: true });
  const files = PARTS.flatMap(([, names]) => names.map(fileOf));
  const { code } = await runTool(
    'vitest/vitest.mjs',
    ['run', ...files, '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    { live: true },
  );
  const total = countReport(report, code, countVitest);
  /** @type {{testResults: {name: string, assertionResults: {status: string}[]}[]}} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const [title, names] of PARTS) {
    const results = testResults
      .filter(({ name }) => names.some((each) => name.endsWith(`/${each}.test.ts`)))
      .flatMap(({ assertionResults }) => assertionResults);
    const held = results.filter(({ status }) => status === 'passed').length;
    say(`${title}: попыток ${results.length}, отбито ${held}`);
  }
  say(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});
