import { randomInt } from 'node:crypto';
import type { PoolClient } from 'pg';
import { ROLE } from '#contract/auth.ts';
import type { PupilCard } from '#contract/groups.ts';
import { signInName } from '#domain/sign-in-names.ts';
import { recordActs } from '#server/admin/audit.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { execute, one, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { stableId } from '#server/ids.ts';
import { lockPlaces } from './joining.ts';
import { pupilPassword } from './pupil-password.ts';

interface Order {
  readonly groupId: string;
  readonly callerId: string;
  /** Made by the caller's device for this list; a repeat has the same. */
  readonly key: string;
  readonly names: readonly string[];
  readonly now: Date;
}

interface NewPupil {
  readonly id: string;
  readonly userName: string;
  readonly password: string;
  readonly passwordHash: string;
}

/** The n-th pupil of an order has this id for ever: that is how a repeat is known. */
const pupilId = ({ callerId, groupId, key }: Order, index: number) =>
  stableId(`pupil/${callerId}/${groupId}/${key}/${index}`);

async function refuseRepeat(db: Client, order: Order): Promise<void> {
  const made = await one(db, 'select 1 from users where id = $1', [pupilId(order, 0)]);
  if (made)
    throw new Refusal('EMAIL_TAKEN', {
      message:
        'Эти ученики уже созданы: запрос пришёл второй раз. Чтобы напечатать карточки, сбросьте их пароли',
    });
}

/** Numbers of two digits first; where the school is full of namesakes, longer ones. */
const numberFor = (round: number) => {
  const from = 10 ** Math.min(1 + Math.floor(round / 4), 8);
  return randomInt(from, from * 10);
};
const ROUNDS = 32;

/** Makes the account under a sign-in name that nobody has, and returns that name. */
async function insertPupil(client: PoolClient, pupil: NewPupil, now: Date): Promise<string> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = signInName(pupil.userName, numberFor(round));
    const made = await execute(
      client,
      `insert into users (id, email, user_name, role, password_hash, created_at)
       values ($1, $2, $3, $4, $5, $6) on conflict (lower(email)) do nothing`,
      [pupil.id, email, pupil.userName, ROLE.student, pupil.passwordHash, now],
    );
    if (made === 1) return email;
  }
  throw new Refusal('UNAVAILABLE');
}

/**
 * Makes accounts for pupils and puts them into the class, all of them or none.
 * @returns their cards, in the order of the names; the passwords are kept nowhere
 * @throws {Refusal} GROUP_FULL, NOT_FOUND, EMAIL_TAKEN for an order that was carried out before
 */
export async function makePupils(
  deps: Pick<Deps, 'pool' | 'newId'>,
  order: Order,
): Promise<PupilCard[]> {
  const { pool } = deps;
  const { groupId, callerId, names, now } = order;
  await refuseRepeat(pool, order);
  // Hashed before the transaction: no lock is held for the second that it takes.
  const pupils: NewPupil[] = await Promise.all(
    names.map(async (userName, index) => {
      const password = pupilPassword();
      const passwordHash = await hashPassword(password);
      return { id: pupilId(order, index), userName, password, passwordHash };
    }),
  );
  return transaction(pool, async (client) => {
    const places = await lockPlaces(client, groupId);
    await refuseRepeat(client, order);
    if (places < names.length) throw new Refusal('GROUP_FULL');
    const cards: PupilCard[] = [];
    for (const pupil of pupils) {
      const email = await insertPupil(client, pupil, now);
      cards.push({ userId: pupil.id, userName: pupil.userName, email, password: pupil.password });
    }
    await execute(
      client,
      `insert into group_members (group_id, user_id, via, added_by, added_at)
       select $1, unnest($2::uuid[]), 'generated', $3, $4`,
      [groupId, pupils.map(({ id }) => id), callerId, now],
    );
    const acts = pupils.map(({ id }) => ({
      actorId: callerId,
      act: 'userCreated' as const,
      subject: { kind: 'user' as const, id },
      details: { role: ROLE.student },
    }));
    await recordActs(client, deps, acts, now);
    return cards;
  });
}
