import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { inProject } from '#scripts/lib/project.mjs';
import { hashPassword, inTurn, verifyPassword } from '#server/auth/passwords.ts';
import { createPool } from '#server/db/connect.ts';
import { clear, openFolder } from '#tests/folders.ts';
import { embeddedOf, type LiveServer, startLiveServer } from '#tests/programs/live-server.ts';
import { serverBundle } from '#tests/programs/server-bundle.ts';
import { postgresTime, processorTime } from './processor-time.ts';
import {
  CLIENT_IS_BOTTLENECK,
  type Figures,
  figuresOf,
  type Measurement,
  requireNoFailures,
  tableOf,
} from './report.ts';
import { benchBoard, benchWatchers, boardLine, CLASS_SIZES } from './board.ts';
import { compareReports, type Goal, goalsTable } from './goals.ts';
import { benchPages } from './pages.ts';
import { makeBenchSchool, PASSWORD } from './school.ts';
import { ATTEMPTS, benchStatistics, ITEMS, statisticsLine } from './statistics.ts';
import { benchSize, type SizeFigures, sizeLine, STORED } from './size.ts';
import { benchStartUp } from './start-up.ts';
import { requireFreshBuild } from './student-page.ts';
import { benchTaking } from './taking.ts';
import type { Load, BenchTask } from './tasks.ts';
import { benchUploads, uploadLine } from './uploads.ts';

const MANY = 128;
const STUDENTS = [32, MANY] as const;
/** Saves and upserts alternate, so that other load on the machine affects both. */
const ROUNDS = 2;
const SECONDS = 5;
const WARM_UP_STUDENTS = 32;
const WARM_UP_SECONDS = 4;
const SIGN_INS = 300;
/** A class that reconnects with the answers written meanwhile. */
const RECONNECT = { students: 30, answersEach: 40 } as const;
/** Whole attempts: start, answers, finish, result. */
const WHOLE = { attempts: 512, callers: 64, answers: 20 } as const;
/** Devices that fetch their offers at once before a lesson without a network, in each round. */
const OFFERS = 300;
/** Whole attempts at each size of the database. */
const SIZE_ATTEMPTS = 256;
/** Saves per second while the school signs in. */
const SAVES_MEANWHILE = 100;
/** As pgbench would use for 32 clients; the database allows 60 in total. */
const UPSERT_CONNECTIONS = 32;

const ROWS = [
  'saves',
  'half',
  'attempts',
  'offers',
  'reconnect',
  'reads',
  'sign-ins',
  'statistics',
  'board',
  'watchers',
  'start-up',
  'taking',
  'uploads',
  'size',
] as const;
type Row = (typeof ROWS)[number];

/** `npm run bench -- saves reads` measures these rows alone. */
function chooseRows(rowNames: readonly string[]): ReadonlySet<Row> {
  const isRow = (name: string): name is Row => (ROWS as readonly string[]).includes(name);
  const unknown = rowNames.find((name) => !isRow(name));
  if (unknown !== undefined)
    throw new Error(`Нет такого измерения: ${unknown}. Есть: ${ROWS.join(', ')}.`);
  // Ten million rows take minutes and gigabytes: only by name.
  return new Set(
    rowNames.length === 0 ? ROWS.filter((row) => row !== 'size') : rowNames.filter(isRow),
  );
}

const sumOf = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

const say = (line: string) => void process.stdout.write(`${line}\n`);

const startLoadProgram = () =>
  fork(fileURLToPath(new URL('./load.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });

function ask(program: ChildProcess, task: BenchTask): Promise<Load> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the load program ended with ${code}`));
    program.once('exit', ended);
    program.once('message', (load: Load) => {
      program.off('exit', ended);
      resolve(load);
    });
    program.send(task);
  });
}

/** Checks this many passwords like the server, with nothing else to do; milliseconds. */
async function timeHashes(count: number): Promise<number> {
  const passwordHash = await hashPassword(PASSWORD);
  const from = performance.now();
  const check = (account: string) =>
    inTurn({ account }, () => verifyPassword(passwordHash, PASSWORD));
  await Promise.all(Array.from({ length: count }, (_, index) => check(`${index}`)));
  return performance.now() - from;
}

const minus = (after: number | null, before: number | null) =>
  after === null || before === null ? null : after - before;

/** The durability settings of the running database. */
async function durability(pool: Pool): Promise<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'server_version']) {
    const { rows } = await pool.query<Record<string, string>>(`show ${name}`);
    settings[name] = rows[0]?.[name] ?? '';
  }
  if (settings['fsync'] !== 'on' || settings['synchronous_commit'] !== 'on')
    throw new Error('the database is not durable: nothing it does fast would count');
  return settings;
}

type Measure = (name: string, task: BenchTask, by?: ChildProcess) => Promise<Measurement>;

/** What the measurements share. */
interface Bench {
  readonly server: LiveServer;
  readonly pool: Pool;
  readonly url: string;
  readonly port: number;
  readonly school: Awaited<ReturnType<typeof makeBenchSchool>>;
  /** Tokens of students who have not started; each is used once. */
  readonly fresh: string[];
  /** Students who have answered already. */
  readonly warm: ReturnType<Bench['school']['take']>;
  readonly cpu: () => { server: number | null; postgres: number | null };
  readonly measure: Measure;
}

/** Saves, in turn with upserts of one row. */
async function benchSaves({ measure, port, school, url }: Bench) {
  const saves = [];
  for (const count of STUDENTS) {
    say(`Ответы, учеников: ${count}. ${ROUNDS} × ${SECONDS} с, по очереди с upsert.`);
    const rounds: { save: Measurement; upsert: Measurement }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const students = school.take(count);
      const save = await measure('saves', { kind: 'saves', port, students, seconds: SECONDS });
      const upsert = await measure('upserts', {
        kind: 'upserts',
        url,
        callers: count,
        connections: UPSERT_CONNECTIONS,
        seconds: SECONDS,
      });
      rounds.push({ save, upsert });
    }
    const save = figuresOf(rounds.map((round) => round.save));
    const upsert = figuresOf(rounds.map((round) => round.upsert));
    const ratio = Number((save.perSecond / upsert.perSecond).toFixed(3));
    saves.push({ students: count, save, upsert, ratio });
  }
  return saves;
}

/** Saves at half the rate that the server could take. */
async function benchHalf({ measure, port, school }: Bench) {
  say('Ответы, когда сервер занят наполовину.');
  const task = { kind: 'saves', port, seconds: SECONDS } as const;
  const full = await measure('saves', { ...task, students: school.take(MANY) });
  const perSecond = figuresOf([full]).perSecond / 2;
  return figuresOf([
    await measure('saves at half', { ...task, students: school.take(MANY), perSecond }),
  ]);
}

async function benchWhole({ measure, port, school, fresh }: Bench) {
  const { attempts, callers, answers } = WHOLE;
  say(`Целые попытки: начало, ${answers} ответов, завершение, результат.`);
  const rounds: Measurement[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const tokens = fresh.splice(0, attempts);
    const { testId } = school;
    const task = { kind: 'attempts', port, testId, tokens, callers, answers } as const;
    rounds.push(await measure('attempts', task));
  }
  const figures = figuresOf(rounds);
  return { perMinute: Math.round(figures.perSecond * 60), ...figures };
}

/** Offers of a test without a network, and starts of the same students, which make as much without encryption. */
async function benchOffers({ measure, port, school, fresh, pool }: Bench) {
  say(`Тест для начала без сети: его загружают сразу ${OFFERS} устройств. И столько же начал.`);
  const { testId } = school;
  await pool.query('update tests set offline_start = true where id = $1', [testId]);
  const [offers, starts]: [Measurement[], Measurement[]] = [[], []];
  // The first offer of all computes the code's key.
  await measure('first offer', { kind: 'offers', port, testId, tokens: fresh.slice(0, 1) });
  for (let round = 0; round < ROUNDS; round += 1) {
    const tokens = fresh.splice(0, OFFERS);
    offers.push(await measure('offers', { kind: 'offers', port, testId, tokens }));
    starts.push(await measure('starts', { kind: 'starts', port, testId, tokens }));
  }
  await pool.query('update tests set offline_start = false where id = $1', [testId]);
  const [offer, start] = [figuresOf(offers), figuresOf(starts)];
  const costOf = ({ serverCpuUs, postgresCpuUs }: Figures) =>
    serverCpuUs === null || postgresCpuUs === null ? null : serverCpuUs + postgresCpuUs;
  const [cost, startCost] = [costOf(offer), costOf(start)];
  return {
    offer,
    start,
    allMs: Math.round(Math.max(...offers.map(({ load }) => load.ms))),
    toStart: cost === null || startCost === null ? null : Number((cost / startCost).toFixed(2)),
  };
}

async function benchReconnect({ measure, port, school }: Bench) {
  const { students: count, answersEach: callsEach } = RECONNECT;
  say(`Класс снова в сети: учеников ${count}, у каждого ждут ответы: ${callsEach}.`);
  const rounds: Measurement[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const students = school.take(count);
    rounds.push(
      await measure('reconnect', { kind: 'saves', port, students, seconds: 60, callsEach }),
    );
  }
  const slowestMs = Math.round(Math.max(...rounds.map(({ load }) => load.ms)));
  return { ...figuresOf(rounds), slowestMs };
}

async function benchReads({ measure, port, warm }: Bench) {
  say('Чтение сохранённых ответов.');
  return figuresOf([
    await measure('reads', { kind: 'reads', port, students: warm, seconds: SECONDS }),
  ]);
}

async function benchSignIns({ measure, port, school }: Bench) {
  say('Вход учеников.');
  const emails = school.emails.slice(0, SIGN_INS);
  const task = { kind: 'signIns', port, emails, password: PASSWORD } as const;
  const bareBefore = await timeHashes(SIGN_INS);
  const signedIn = await measure('sign-ins', task);
  const bareMs = (bareBefore + (await timeHashes(SIGN_INS))) / 2;
  const other = startLoadProgram();
  try {
    const students = school.take(WARM_UP_STUDENTS);
    const perSecond = SAVES_MEANWHILE;
    const [saved] = await Promise.all([
      measure('saves', { kind: 'saves', port, students, seconds: SECONDS, perSecond }, other),
      measure('sign-ins', task),
    ]);
    return {
      students: SIGN_INS,
      allSignedInMs: Math.round(signedIn.load.ms),
      toBareHashing: Number((signedIn.load.ms / bareMs).toFixed(2)),
      savesMeanwhile: figuresOf([saved]),
      ...figuresOf([signedIn]),
    };
  } finally {
    other.kill();
  }
}

function benchAnalysis({ measure, port, school, server, pool }: Bench) {
  say(`Статистика: ${ATTEMPTS} попыток по ${ITEMS} вопросов.`);
  const answering = school.take(WARM_UP_STUDENTS);
  return benchStatistics(server.url, pool, () =>
    measure('saves', { kind: 'saves', port, students: answering, seconds: SECONDS }),
  );
}

function benchLongTest({ school, server, pool }: Bench) {
  say('Тест из 200 вопросов на медленном телефоне.');
  const [email = ''] = school.emails;
  return benchTaking(server.url, pool, { email, password: PASSWORD });
}

function benchSlowLines({ school, server, pool }: Bench) {
  say('Файлы на медленных линиях.');
  const [email = ''] = school.emails;
  return benchUploads(server.url, pool, { email, password: PASSWORD });
}

function benchSizes({ measure, port, school, fresh, server, pool }: Bench) {
  say('Те же вызовы, когда в базе мало и когда много чужих ответов.');
  const { testId } = school;
  const { callers, answers } = WHOLE;
  return benchSize(
    server.url,
    pool,
    {
      saves: async () => {
        const students = school.take(WARM_UP_STUDENTS);
        const task = { kind: 'saves', port, students, seconds: SECONDS } as const;
        return figuresOf([await measure('saves', task)]);
      },
      whole: async () => {
        const tokens = fresh.splice(0, SIZE_ATTEMPTS);
        const task = { kind: 'attempts', port, testId, tokens, callers, answers } as const;
        return figuresOf([await measure('attempts', task)]);
      },
    },
    say,
  );
}

function benchBoards({ measure, port, school, server, pool, cpu }: Bench) {
  say('Ход теста: доска класса и параллели, сама по себе и пока пишут.');
  return benchBoard({
    base: server.url,
    pool,
    cpu,
    saves: async () => {
      const students = school.take(WARM_UP_STUDENTS);
      return figuresOf([
        await measure('board saves', { kind: 'saves', port, students, seconds: SECONDS }),
      ]).perSecond;
    },
  });
}

/** Students for all chosen rows, and those who have not started. */
function openSchool(pool: Pool, url: string, chosen: ReadonlySet<Row>) {
  const wanted = Math.max(
    SIGN_INS,
    WARM_UP_STUDENTS * (3 + CLASS_SIZES.length) +
      ROUNDS * (sumOf(STUDENTS) + RECONNECT.students) +
      2 * MANY,
  );
  say(`Готовим учеников с начатым тестом: ${wanted}.`);
  const sizes = Object.keys(STORED).length;
  const whole = chosen.has('attempts') ? ROUNDS * WHOLE.attempts : 0;
  const size = chosen.has('size') ? sizes * SIZE_ATTEMPTS : 0;
  const offers = chosen.has('offers') ? ROUNDS * OFFERS : 0;
  return makeBenchSchool(pool, url, wanted, whole + size + offers);
}

async function benchmark(
  server: LiveServer,
  pool: Pool,
  postmaster: number,
  url: string,
  chosen: ReadonlySet<Row>,
) {
  const program = startLoadProgram();
  const cpu = () => ({ server: processorTime(server.pid), postgres: postgresTime(postmaster) });
  const measure: Measure = async (name, task, by = program) => {
    const before = cpu();
    const load = await ask(by, task);
    requireNoFailures(name, load);
    const after = cpu();
    return {
      load,
      serverUs: minus(after.server, before.server),
      postgresUs: minus(after.postgres, before.postgres),
    };
  };
  try {
    const settings = await durability(pool);
    const port = Number(new URL(server.url).port);
    const school = await openSchool(pool, server.url, chosen);
    await pool.query(
      'create table bench_upserts (id uuid primary key, body jsonb not null, updated_at timestamptz not null)',
    );
    const warm = school.take(WARM_UP_STUDENTS);
    await measure('warm-up', { kind: 'saves', port, students: warm, seconds: WARM_UP_SECONDS });
    const fresh = [...school.unstarted];
    const bench: Bench = { server, pool, url, port, school, fresh, warm, cpu, measure };
    return {
      settings,
      saves: chosen.has('saves') ? await benchSaves(bench) : [],
      half: chosen.has('half') ? await benchHalf(bench) : null,
      whole: chosen.has('attempts') ? await benchWhole(bench) : null,
      offers: chosen.has('offers') ? await benchOffers(bench) : null,
      reconnect: chosen.has('reconnect') ? await benchReconnect(bench) : null,
      read: chosen.has('reads') ? await benchReads(bench) : null,
      signIn: chosen.has('sign-ins') ? await benchSignIns(bench) : null,
      statistics: chosen.has('statistics') ? await benchAnalysis(bench) : null,
      boards: chosen.has('board') ? await benchBoards(bench) : [],
      watchers: chosen.has('watchers')
        ? await benchWatchers({ base: server.url, pool, cpu })
        : null,
      startUpMs: chosen.has('start-up') ? await benchStartUp() : null,
      taking: chosen.has('taking') ? await benchLongTest(bench) : null,
      uploads: chosen.has('uploads') ? await benchSlowLines(bench) : [],
      sizes: chosen.has('size') ? await benchSizes(bench) : [],
    };
  } finally {
    program.kill();
  }
}

type Results = Awaited<ReturnType<typeof benchmark>>;

/** The figures and their goals; for Moodle the figures measured on such a machine. */
function goalsOf(results: Results): Goal[] {
  const { saves, half, whole, reconnect, signIn, statistics, watchers, startUpMs, taking } =
    results;
  const { uploads, sizes, offers } = results;
  const many = saves.find(({ students }) => students === MANY);
  const few = sizes[0];
  const stored = sizes.at(-1);
  const ratio = (read: (figures: SizeFigures) => number) =>
    few && stored && Number((read(stored) / read(few)).toFixed(2));
  const saveCpuUs = many && (many.save.serverCpuUs ?? 0) + (many.save.postgresCpuUs ?? 0);
  const goals = [
    ['ответы к upsert при 128', '×', 'least', 0.5, many?.ratio, '125 ответов в секунду'],
    ['процессор на ответ, сервер и база', 'мкс', 'most', 350, saveCpuUs, '15 000'],
    ['ответ при половине предела, p99', 'мс', 'most', 60, half?.p99Ms],
    ['целые попытки', 'в минуту', 'least', 4_000, whole?.perMinute],
    ['300 устройств загружают тест без сети', 'мс', 'most', 5_000, offers?.allMs],
    ['то же, процессор к началу теста', '×', 'most', 1, offers?.toStart],
    ['вход 300 к хешированию', '×', 'most', 1.3, signIn?.toBareHashing],
    ['ответы других во время входа, p99', 'мс', 'most', 250, signIn?.savesMeanwhile.p99Ms],
    ['30 устройств по 40 ответов', 'мс', 'most', 3_000, reconnect?.slowestMs],
    ['ответ при 10 млн, медиана', '×', 'most', 1.2, ratio(({ saves: { p50Ms } }) => p50Ms)],
    ['попытка при 10 млн, медиана', '×', 'most', 1.2, ratio(({ whole: { p50Ms } }) => p50Ms)],
    ['результат при 10 млн', '×', 'most', 1.5, ratio(({ resultMs }) => resultMs)],
    ['страница статистики при 10 млн', '×', 'most', 1.5, ratio(({ pageMs }) => pageMs)],
    ['ход теста у 2 000, 5 учителей', 'ядра', 'most', 0.05, watchers?.cores],
    ['ход теста у 2 000, первый ответ', 'мс', 'most', 500, watchers?.firstMs],
    ['статистика после оценки к подсчёту', '×', 'most', 5, statistics?.ratio],
    ['статистика впервые', 'мс', 'most', 400, statistics?.coldMs],
    ['готов после запуска', 'мс', 'most', 1_000, startUpMs],
    [
      '200 вопросов, процессор медленнее в 6 раз: от касания до ответа на экране',
      'мс',
      'most',
      100,
      taking?.medianMs,
    ],
    ['то же, самое долгое', 'мс', 'most', 100, taking?.slowestMs],
    ['200 вопросов: самая долгая задача после начала', 'мс', 'most', 200, taking?.longestTaskMs],
    ...uploads.map(
      ({ kbit, ratio }) => [`файл при ${kbit} кбит/с к линии`, '×', 'most', 1.5, ratio] as const,
    ),
  ] as const;
  return goals.flatMap(([name, unit, kind, limit, figure, moodle]) =>
    figure === undefined || figure === null
      ? []
      : [{ name, unit, kind, limit, figure, ...(moodle === undefined ? {} : { moodle }) }],
  );
}

function print({
  saves,
  half,
  whole,
  reconnect,
  offers,
  read,
  signIn,
  statistics,
  boards,
  uploads,
  sizes,
}: Results): void {
  const measured = saves.flatMap(({ students, save, upsert }) => [
    [`ответ, учеников: ${students}`, save] as const,
    [`upsert одной строки, потоков: ${students}`, upsert] as const,
  ]);
  const all = [
    ...measured,
    ...(half ? [[`ответ при половине предела, учеников: ${MANY}`, half] as const] : []),
    ...(whole ? [[`целая попытка, учеников: ${WHOLE.callers}`, whole] as const] : []),
    ...(reconnect
      ? [[`ответ, класс снова в сети: ${RECONNECT.students}`, reconnect] as const]
      : []),
    ...(offers
      ? [
          [`тест для начала без сети, сразу устройств: ${OFFERS}`, offers.offer] as const,
          [`начало теста, сразу устройств: ${OFFERS}`, offers.start] as const,
        ]
      : []),
    ...(read ? [[`сохранённые ответы, учеников: ${WARM_UP_STUDENTS}`, read] as const] : []),
    ...(signIn ? [[`вход, сразу учеников: ${signIn.students}`, signIn] as const] : []),
  ];
  say(`\n${tableOf(all)}\n`);
  for (const { students, ratio } of saves)
    say(`Ответ к upsert при ${students}: ${(ratio * 100).toFixed(0)} %`);
  if (whole) say(`Целых попыток в минуту: ${whole.perMinute.toLocaleString('ru')}.`);
  if (reconnect)
    say(`Класс, вернувшийся в сеть, отправил всё за ${(reconnect.slowestMs / 1000).toFixed(1)} с.`);
  if (signIn)
    say(`Все ученики (${signIn.students}) вошли за ${(signIn.allSignedInMs / 1000).toFixed(1)} с.`);
  if (statistics) say(statisticsLine(statistics));
  for (const board of boards) say(boardLine(board));
  for (const upload of uploads) say(uploadLine(upload));
  for (const size of sizes) say(sizeLine(size));
  for (const [name, { clientBusy }] of all)
    if (clientBusy >= CLIENT_IS_BOTTLENECK)
      say(
        `«${name}»: клиент занят на ${(clientBusy * 100).toFixed(0)} % — предел задаёт он, а не сервер.`,
      );
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: 'boolean', default: false } },
});
if (values.compare) {
  const [before, after] = positionals;
  if (before === undefined || after === undefined)
    throw new Error('Нужны два файла: npm run bench -- --compare прежний.json новый.json.');
  say(compareReports(before, after));
  process.exit();
}
if (positionals[0] === 'pages') {
  // The folders of other checkouts that are built: `npm run bench -- pages ../before`.
  requireFreshBuild();
  const pages = await benchPages(
    positionals.slice(1).map((folder) => resolve(folder)),
    say,
  );
  mkdirSync(inProject('reports'), { recursive: true });
  writeFileSync(inProject('reports', 'bench-pages.json'), `${JSON.stringify(pages, null, 2)}\n`);
  process.exit();
}
const chosen = chooseRows(positionals);
const started = Date.now();
const folder = await openFolder();
try {
  const bundle = relative(inProject(), await serverBundle());
  say(`Запускаем сервер (${bundle}) с надёжной базой во временной папке.`);
  const server = await startLiveServer({ dataDir: folder });
  try {
    const { pid, url } = await embeddedOf(folder);
    const pool = createPool(url, 4, () => undefined);
    const results = await benchmark(server, pool, pid, url, chosen);
    await pool.end();
    const goals = goalsOf(results);
    print(results);
    say(`\n${goalsTable(goals)}\n`);
    // Other load: on a busy machine only the ratios within one run are meaningful.
    const load = Number((loadavg()[0] ?? 0).toFixed(1));
    say(`Процессоров: ${cpus().length}, средняя загрузка за минуту: ${load}.`);
    const machine = {
      load,
      cpus: cpus().length,
      model: cpus()[0]?.model ?? '',
      node: process.version,
    };
    const report = { at: new Date().toISOString(), bundle, machine, goals, ...results };
    mkdirSync(inProject('reports'), { recursive: true });
    writeFileSync(inProject('reports', 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
    say(
      `Записано в reports/bench.json. Всё вместе: ${Math.round((Date.now() - started) / 1000)} с.`,
    );
  } finally {
    await server.end('SIGTERM');
  }
} finally {
  await clear(folder);
}
