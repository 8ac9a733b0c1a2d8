import { availableParallelism } from 'node:os';
import { createRandom, type Random } from '#simulation/random.ts';
import { checkAfterKills } from '#tests/kill-checks.ts';
import { type Blow, ServerUnderFire } from '#tests/server-under-fire.ts';
import type { ProofPart, ReportedViolation } from './report.ts';

/** Kills of one server before everything it acknowledged is checked. */
const KILLS_EACH = 25;
const STUDENTS_EACH = 12;

/** A tenth of the kills hits the database alone, a fifth both at once, the rest the server. */
function drawKills(random: Random, kills: number): Blow[] {
  return Array.from({ length: kills }, () =>
    random.weighted<Blow>([
      [7, 'server'],
      [2, 'power'],
      [1, 'database'],
    ]),
  );
}

/** Kills servers in parallel, each with its own durable database, while students answer. */
export async function runServerKills(options: {
  readonly seed: number;
  readonly count: number;
  /** No server is started after this time; milliseconds since 1970. */
  readonly until: number;
  readonly say: (line: string) => void;
}): Promise<ProofPart> {
  const { seed, count, until, say } = options;
  const startedAt = Date.now();
  const violations: ReportedViolation[] = [];
  const counts = {
    servers: 0,
    'both at once': 0,
    databases: 0,
    'answers acknowledged': 0,
    'stored, reply lost': 0,
    'in flight, not stored': 0,
  };
  let [begun, done, rounds] = [0, 0, 0];

  async function round(): Promise<void> {
    const kills = Math.min(KILLS_EACH, count - begun);
    const own = seed + rounds;
    begun += kills;
    rounds += 1;
    const fire = await ServerUnderFire.open(createRandom(own), STUDENTS_EACH);
    try {
      await fire.endure(drawKills(createRandom(own, 'blows'), kills));
      await checkAfterKills(fire);
    } catch (error) {
      const repeat = `npm run proof -- --seeds 0 --browser-kills 0 --server-kills ${kills} --seed ${own}`;
      violations.push({ what: String((error as Error).stack), repeat });
      say(`Нарушение после убийств сервера, зерно ${own}: ${String(error)}`);
    } finally {
      await fire.close();
    }
    const { toll, students } = fire;
    done += toll.blows.server + toll.blows.power + toll.blows.database;
    counts.servers += toll.blows.server;
    counts['both at once'] += toll.blows.power;
    counts.databases += toll.blows.database;
    counts['stored, reply lost'] += toll.storedUnconfirmed;
    counts['in flight, not stored'] += toll.neverStored;
    for (const { written } of students)
      counts['answers acknowledged'] += written.filter(({ receipt }) => receipt !== null).length;
    say(`  … убито серверов и баз: ${done} из ${count}`);
  }

  const lane = async (): Promise<void> => {
    while (begun < count && Date.now() < until) await round();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  const seconds = (Date.now() - startedAt) / 1000;
  return { requested: count, done, seconds, counts, violations };
}
