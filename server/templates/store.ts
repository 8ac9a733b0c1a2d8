import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { TEMPLATE_BYTES_PER_TEACHER, TEMPLATES_PER_TEACHER } from '#contract/limits.ts';
import { type QuestionTemplate, TemplateBody } from '#contract/templates.ts';
import type { PoolClient } from 'pg';
import { execute, one, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { refuseOlderTemplates } from '#server/older-apps.ts';

interface StoredTemplate {
  readonly id: string;
  readonly version: number;
  readonly body: unknown;
  readonly updatedAt: Date;
}

const COLUMNS = 'id, version, body, updated_at as "updatedAt"';

/** Templates of a teacher, the newest change first. */
export async function templatesOf(db: Client, ownerId: string): Promise<QuestionTemplate[]> {
  const stored = await rows<StoredTemplate>(
    db,
    `select ${COLUMNS} from question_templates where owner_id = $1 order by updated_at desc, id desc`,
    [ownerId],
  );
  return stored.map(({ id, version, body, updatedAt }) => ({
    templateId: id,
    version,
    body: v.parse(TemplateBody, body),
    updatedAt: updatedAt.toISOString(),
  }));
}

interface SavedTemplate {
  readonly ownerId: string;
  readonly templateId: string;
  /** The id of the changed template; 0: a new one. */
  readonly version: number;
  readonly body: TemplateBody;
}

interface SavedRow {
  readonly version: number;
  readonly updatedAt: string;
}

/** @throws {Refusal} TOO_MANY_TEMPLATES: their number or bytes, with this one */
async function requireRoom(
  client: PoolClient,
  { ownerId, templateId, body }: SavedTemplate,
): Promise<void> {
  const others = await one<{ count: number; bytes: number }>(
    client,
    `select count(*) as count, coalesce(sum(octet_length(body::text)), 0) as bytes
     from question_templates where owner_id = $1 and id <> $2`,
    [ownerId, templateId],
  );
  const { count, bytes } = others ?? { count: 0, bytes: 0 };
  const isOver = bytes + Buffer.byteLength(JSON.stringify(body)) > TEMPLATE_BYTES_PER_TEACHER;
  if (count >= TEMPLATES_PER_TEACHER || isOver) throw new Refusal('TOO_MANY_TEMPLATES');
}

async function makeTemplate(
  client: PoolClient,
  { ownerId, templateId, body }: SavedTemplate,
  now: Date,
): Promise<SavedRow> {
  await execute(
    client,
    `insert into question_templates (owner_id, id, version, body, created_at, updated_at)
     values ($1, $2, 1, $3, $4, $4)`,
    [ownerId, templateId, JSON.stringify(body), now],
  );
  return { version: 1, updatedAt: now.toISOString() };
}

/**
 * Creates or changes a template. A repeat after a lost reply changes nothing.
 * @throws {Refusal} NOT_FOUND, STALE_VERSION with the newer one's version and time, TOO_MANY_TEMPLATES,
 * OLD_CLIENT for a template that the app does not know whole, UNAUTHORIZED when the owner was erased meanwhile
 */
export async function storeTemplate(
  deps: Pick<Deps, 'pool' | 'addedContent'>,
  saved: SavedTemplate,
  now: Date,
  wireVersion: number,
): Promise<SavedRow> {
  const { ownerId, templateId, version, body } = saved;
  return transaction(deps.pool, async (client) => {
    // Saves of one teacher are serialized: templates are counted, and one id is created once.
    const owner = await one(
      client,
      'select 1 from users where id = $1 and erased_at is null for no key update',
      [ownerId],
    );
    if (!owner) throw new Refusal('UNAUTHORIZED');
    const stored = await one<StoredTemplate>(
      client,
      `select ${COLUMNS} from question_templates where owner_id = $1 and id = $2`,
      [ownerId, templateId],
    );
    if (!stored) {
      if (version > 0) throw new Refusal('NOT_FOUND');
      await requireRoom(client, saved);
      return makeTemplate(client, saved, now);
    }
    refuseOlderTemplates(deps, [v.parse(TemplateBody, stored.body)], wireVersion);
    const updatedAt = stored.updatedAt.toISOString();
    if (stored.version === version + 1 && isDeepStrictEqual(stored.body, body))
      return { version: stored.version, updatedAt };
    if (stored.version !== version)
      throw new Refusal('STALE_VERSION', {
        message:
          'Шаблон тем временем изменили в другом месте. Ваши правки не записаны и не потеряны',
        details: { version: stored.version, updatedAt, updatedBy: null },
      });
    await requireRoom(client, saved);
    await execute(
      client,
      `update question_templates set version = $3, body = $4, updated_at = $5
       where owner_id = $1 and id = $2`,
      [ownerId, templateId, version + 1, JSON.stringify(body), now],
    );
    return { version: version + 1, updatedAt: now.toISOString() };
  });
}

/** @throws {Refusal} NOT_FOUND */
export async function dropTemplate(db: Client, ownerId: string, templateId: string): Promise<void> {
  const dropped = await execute(
    db,
    'delete from question_templates where owner_id = $1 and id = $2',
    [ownerId, templateId],
  );
  if (dropped === 0) throw new Refusal('NOT_FOUND');
}
