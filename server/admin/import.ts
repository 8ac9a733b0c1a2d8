import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { checkImport, importUsers, type ImportResult } from '#contract/admin.ts';
import { ROLE } from '#contract/auth.ts';
import { requireConfirmation } from '#server/auth/caller.ts';
import { createFairQueue } from '#server/auth/fair-queue.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { requireRoomForFiles } from '#server/files/disk-reserve.ts';
import { studentPassword } from '#server/groups/student-password.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { requireStillAdmin } from './admins.ts';
import { recordAct } from './audit.ts';
import { assignClasses, judgeClasses, lockClasses, readClasses } from './import-classes.ts';
import { storeReply, repliedBefore, claimBatch, type StoredBatch } from './import-batches.ts';
import { judgeRows, type GoodRow, type JudgedRow } from './import-rows.ts';

/** An import leaves one slot of the hash queue free, so that people can sign in meanwhile. */
const importTurns = createFairQueue(2);

const NO_ROOM =
  'На сервере заканчивается место: учётные записи из этой части файла не созданы. Освободите место на диске и повторите';

async function findUsedEmails(db: Client, judged: readonly JudgedRow[]): Promise<Set<string>> {
  const emails = judged.flatMap(({ good }) => (good ? [good.email] : []));
  const found = await rows<{ email: string }>(
    db,
    'select lower(email) as email from users where lower(email) = any($1)',
    [emails],
  );
  return new Set(found.map(({ email }) => email));
}

const resultOf = (
  { line, problems, good }: JudgedRow,
  { isUsed, made }: { isUsed: boolean; made: { userId: string; password: string | null } | null },
): ImportResult => ({
  line,
  outcome: good === null ? 'wrong' : isUsed ? 'exists' : 'good',
  problems,
  userId: made?.userId ?? null,
  password: made?.password ?? null,
});

interface NewPerson extends GoodRow {
  readonly userId: string;
  /** Shown once; null: the row had a password. */
  readonly madePassword: string | null;
  readonly passwordHash: string;
}

async function prepare(deps: Deps, good: GoodRow, actorId: string): Promise<NewPerson> {
  const madePassword = good.password === null ? studentPassword() : null;
  const password = good.password ?? madePassword ?? '';
  const passwordHash = await importTurns({ account: actorId }, () => hashPassword(password));
  return { ...good, userId: deps.newId(), madePassword, passwordHash };
}

/** Creates the accounts with a free e-mail; returns their ids. */
async function insertPeople(
  client: PoolClient,
  people: readonly NewPerson[],
  now: Date,
): Promise<Set<string>> {
  // In a fixed order: two imports of the same people wait for each other without a deadlock.
  const sorted = people.toSorted((a, b) => (a.email < b.email ? -1 : 1));
  const made = await rows<{ id: string }>(
    client,
    `insert into users (id, email, user_name, role, password_hash, created_at)
     select row.id, row.email, row.name, row.role, row.hash, $6
     from unnest($1::uuid[], $2::text[], $3::text[], $4::smallint[], $5::text[])
       as row (id, email, name, role, hash)
     on conflict (lower(email)) do nothing returning id`,
    [
      sorted.map(({ userId }) => userId),
      sorted.map(({ email }) => email),
      sorted.map(({ userName }) => userName),
      sorted.map(({ role }) => role),
      sorted.map(({ passwordHash }) => passwordHash),
      now,
    ],
  );
  return new Set(made.map(({ id }) => id));
}

const countOf = (results: readonly ImportResult[], outcome: ImportResult['outcome']) =>
  results.filter((result) => result.outcome === outcome).length;

/**
 * Creates accounts for the valid rows; existing ones stay unchanged.
 * @throws {Refusal} OPERATION_REUSED, FORBIDDEN
 */
async function importBatch(deps: Deps, batch: StoredBatch, now: Date): Promise<ImportResult[]> {
  const before = await repliedBefore(deps.pool, batch, now);
  if (before) return before;
  const judged = judgeClasses(judgeRows(batch.rows), await readClasses(deps.pool));
  const usedEmails = await findUsedEmails(deps.pool, judged);
  const fresh = judged.flatMap(({ good }) => (good && !usedEmails.has(good.email) ? [good] : []));
  // Hashed before the transaction: no lock is held for the second that it takes.
  const people = await Promise.all(fresh.map((good) => prepare(deps, good, batch.actorId)));
  return transaction(deps.pool, async (client) => {
    await requireStillAdmin(client, batch.actorId);
    if (!(await claimBatch(client, batch, now))) {
      const replied = await repliedBefore(client, batch, now);
      if (!replied) throw new Refusal('UNAVAILABLE');
      return replied;
    }
    if (people.some(({ className }) => className !== null)) await lockClasses(client);
    const made = await insertPeople(client, people, now);
    const members = people.filter(({ userId }) => made.has(userId));
    await assignClasses(client, deps, members, { actorId: batch.actorId, now });
    const byEmail = new Map(
      people.flatMap((person) => (made.has(person.userId) ? [[person.email, person]] : [])),
    );
    const results = judged.map((row) => {
      const person = row.good && byEmail.get(row.good.email);
      const account = person ? { userId: person.userId, password: person.madePassword } : null;
      return resultOf(row, { isUsed: account === null, made: account });
    });
    await storeReply(client, batch, results);
    const details = {
      made: countOf(results, 'good'),
      exists: countOf(results, 'exists'),
      wrong: countOf(results, 'wrong'),
    };
    await recordAct(client, deps, { actorId: batch.actorId, act: 'usersImported', details }, now);
    return results;
  });
}

export function registerImport(app: FastifyInstance, deps: Deps): void {
  /** Batches in progress: a device that timed out repeats the call before the first has ended. */
  const running = new Map<string, Promise<unknown>>();

  async function importOnce(batch: StoredBatch, now: Date): Promise<ImportResult[]> {
    const name = `${batch.actorId}/${batch.key}`;
    const before = running.get(name);
    const own = Promise.allSettled([before]).then(() => importBatch(deps, batch, now));
    running.set(name, own);
    try {
      return await own;
    } finally {
      if (running.get(name) === own) running.delete(name);
    }
  }

  handle(app, deps, checkImport, async ({ body }) => {
    const judged = judgeClasses(judgeRows(body.rows), await readClasses(deps.pool));
    const usedEmails = await findUsedEmails(deps.pool, judged);
    const results = judged.map((row) =>
      resultOf(row, { isUsed: row.good !== null && usedEmails.has(row.good.email), made: null }),
    );
    return { results };
  });

  handle(app, deps, importUsers, async ({ caller, body, now }) => {
    await requireRoomForFiles(deps, NO_ROOM);
    // A new teacher or administrator has rights before they can be revoked.
    if (judgeRows(body.rows).some(({ good }) => good !== null && good.role !== ROLE.student))
      requireConfirmation(caller, now);
    const batch = { actorId: caller.userId, key: body.key, rows: body.rows };
    return { results: await importOnce(batch, now) };
  });
}
