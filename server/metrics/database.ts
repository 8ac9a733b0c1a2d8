import { Gauge, Histogram, type Registry } from 'prom-client';
import { one } from '#server/db/query.ts';
import { TimedPool } from '#server/db/timed-pool.ts';
import type { Deps } from '#server/deps.ts';

/** Several scrapes, and gauges of one scrape, share the counts. */
const COUNTED_MS = 5_000;
/** A silent database must not delay a scrape. */
const QUERY_TIMEOUT_MS = 2_000;

interface Counts {
  readonly running: number;
  readonly held: number;
}

const COUNT = {
  name: 'count-for-metrics',
  text: `select
    (select count(*) from attempts
     where ended is null and deleted_at is null and deadline > $1) as running,
    (select count(*) from operations o join attempts a on a.id = o.attempt_id
     where o.outcome = 'held' and o.kind = 'answer' and o.decision is null
       and a.deleted_at is null and not a.trial) as held`,
};

/** Null: the database does not answer. */
async function count({ pool, clock }: Deps): Promise<Counts | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), QUERY_TIMEOUT_MS);
  });
  try {
    return await Promise.race([one<Counts>(pool, COUNT, [clock()]), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Concurrent readers share one query. */
function sharedCounts(deps: Deps): () => Promise<Counts | null> {
  let counted: Promise<Counts | null> | null = null;
  let at = 0;
  return () => {
    const now = deps.clock().getTime();
    if (!counted || Math.abs(now - at) >= COUNTED_MS) {
      at = now;
      counted = count(deps);
    }
    return counted;
  };
}

/** Metrics of the database: connections and waits for them, running attempts, waiting answers. */
export function measureDatabase(deps: Deps, registry: Registry): void {
  const registers = [registry];
  const connections = new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, and calls that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      connections.set({ state: 'total' }, deps.pool.totalCount);
      connections.set({ state: 'idle' }, deps.pool.idleCount);
      connections.set({ state: 'waiting' }, deps.pool.waitingCount);
    },
  });
  const waits = new Histogram({
    name: 'database_connection_wait_seconds',
    help: 'Time that a call waited for a connection of the pool',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5],
    registers,
  });
  if (deps.pool instanceof TimedPool) deps.pool.waited = (seconds) => waits.observe(seconds);

  const counts = sharedCounts(deps);
  const up = new Gauge({
    name: 'database_up',
    help: '1 while the database answers',
    registers,
    aggregator: 'min',
    async collect() {
      up.set((await counts()) ? 1 : 0);
    },
  });
  const counted = (name: string, help: string, value: (counts: Counts) => number) => {
    const gauge = new Gauge({
      name,
      help,
      registers,
      // Each process counts the same rows.
      aggregator: 'max',
      async collect() {
        const known = await counts();
        // No value is better than an outdated one.
        if (known) gauge.set(value(known));
        else gauge.remove();
      },
    });
  };
  counted('attempts_running', 'Attempts whose time runs', ({ running }) => running);
  counted(
    'answers_held_waiting',
    'Held answers that wait for the decision of a teacher',
    ({ held }) => held,
  );
}
