import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { ROLE } from '#contract/auth.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import { hashPassword } from './passwords.ts';

const FIRST_ADMIN_LOCK = 4_071_805_321;
const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

const letter = (from: string) => from.charAt(randomInt(from.length));

/** A password that can be read aloud and typed on a phone, such as `Rapolidu-48271`: about 10^12 of them. */
export function speakablePassword(): string {
  const syllables = Array.from({ length: 4 }, () => letter(CONSONANTS) + letter(VOWELS)).join('');
  const digits = `${randomInt(100_000)}`.padStart(5, '0');
  return `${syllables.charAt(0).toUpperCase()}${syllables.slice(1)}-${digits}`;
}

export interface FirstAdmin {
  email: string;
  /** Shown once when generated here; null: set by the operator. */
  password: string | null;
}

/** Creates an administrator where there is none; null when there is one. */
export async function ensureAdmin(
  pool: Pool,
  given: { email?: string | undefined; password?: string | undefined },
  newId: () => string,
  now: Date,
): Promise<FirstAdmin | null> {
  return transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [FIRST_ADMIN_LOCK]);
    const existing = await one(client, 'select 1 from users where role = $1 limit 1', [ROLE.admin]);
    if (existing) return null;
    const email = (given.email ?? 'admin@school.local').toLowerCase();
    const password = given.password ?? speakablePassword();
    const values = [newId(), email, 'Администратор', ROLE.admin, await hashPassword(password), now];
    const made = await execute(
      client,
      `insert into users (id, email, user_name, role, password_hash, created_at)
       values ($1, $2, $3, $4, $5, $6) on conflict (lower(email)) do nothing`,
      values,
    );
    if (made === 0)
      throw new OperatorError(
        `Администратора ещё нет, а почта ${email} занята другой учётной записью. Укажите другую в ADMIN_EMAIL.`,
      );
    return { email, password: given.password === undefined ? password : null };
  });
}
