import type { PoolClient } from 'pg';
import { PROJECTS_PER_PERSON } from '#contract/limits.ts';
import {
  DOCUMENTATION_REQUIRED,
  LOGO_REQUIRED,
  type createProject,
  type updateProject,
} from '#contract/projects.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import { spendOwnAct } from '#server/auth/act-limits.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { type Client, execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import type { RouteCall } from '#server/http/handle.ts';
import { Refusal, invalid } from '#server/http/refusal.ts';
import { nameFiles, storeFormFiles, type StoredProjectFile } from './files.ts';
import { isAdmin } from './rows.ts';

async function checkCount(db: Client, ownerId: string): Promise<void> {
  const count = await one<{ count: number }>(
    db,
    'select count(*) as count from projects where owner_id = $1',
    [ownerId],
  );
  if ((count?.count ?? 0) >= PROJECTS_PER_PERSON) throw new Refusal('TOO_MANY_PROJECTS');
}

/**
 * Stores the files of a form. Replaced ones stay on the disk for a day, so that saves with files are bounded.
 * @throws {Refusal} FILE_REFUSED, TOO_MANY_REQUESTS
 */
async function storeCounted(
  deps: Deps,
  { userId }: AuthenticatedUser,
  files: Parameters<typeof storeFormFiles>[1],
  now: Date,
): Promise<StoredProjectFile[]> {
  if (Object.keys(files).length > 0) await spendOwnAct(deps.pool, 'projectFiles', userId, now);
  return storeFormFiles(deps, files, now);
}

/** Adds a project of the caller with its files; returns its id. */
export async function addProject(
  deps: Deps,
  { caller, body, files, now }: RouteCall<typeof createProject>,
): Promise<string> {
  const missing = [
    ...(files.LogoPhoto ? [] : [{ field: 'LogoPhoto', message: LOGO_REQUIRED }]),
    ...(files.Documentation ? [] : [{ field: 'Documentation', message: DOCUMENTATION_REQUIRED }]),
  ];
  if (missing.length > 0) throw invalid(missing);
  await checkCount(deps.pool, caller.userId);
  const storedFiles = await storeCounted(deps, caller, files, now);
  const id = deps.newId();
  await transaction(deps.pool, async (client) => {
    // Otherwise two concurrent calls could both add the last allowed one.
    const owner = await one(
      client,
      'select 1 from users where id = $1 and erased_at is null for no key update',
      [caller.userId],
    );
    // The account was erased while its files were being stored.
    if (!owner) throw new Refusal('UNAUTHORIZED');
    await checkCount(client, caller.userId);
    await execute(
      client,
      `insert into projects (id, owner_id, name, short_description, description, landing_url,
         created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [id, caller.userId, body.Name, body.ShortDescription, body.Description, body.LandingURL, now],
    );
    await nameFiles(client, deps, { projectId: id, files: storedFiles, now });
  });
  return id;
}

/** The owner of a project, locked; only for the owner and administrators. */
async function editable(
  client: Client,
  caller: AuthenticatedUser,
  projectId: string,
  hold: '' | 'for update',
): Promise<string> {
  const project = await one<{ ownerId: string }>(
    client,
    `select owner_id as "ownerId" from projects where id = $1 and ($2 or owner_id = $3) ${hold}`,
    [projectId, isAdmin(caller), caller.userId],
  );
  if (!project) throw new Refusal('NOT_FOUND');
  return project.ownerId;
}

interface EditedProject {
  readonly caller: AuthenticatedUser;
  readonly projectId: string;
  readonly now: Date;
}

/** An administrator's change of somebody else's project is logged. */
async function recordForeign(
  client: PoolClient,
  deps: Deps,
  { caller, projectId, now }: EditedProject,
  of: { ownerId: string; act: 'projectChanged' | 'projectDeleted' },
): Promise<void> {
  if (of.ownerId === caller.userId) return;
  const act = actOn('project', projectId, { actorId: caller.userId, act: of.act });
  await recordAct(client, deps, act, now);
}

/**
 * Changes the sent fields of a project; the owner stays.
 * @throws {Refusal} NOT_FOUND also for a project of somebody else, FILE_REFUSED
 */
export async function changeProject(
  deps: Deps,
  { caller, body, files, now }: RouteCall<typeof updateProject>,
): Promise<void> {
  const edited = { caller, projectId: body.Id, now };
  await editable(deps.pool, caller, body.Id, '');
  const storedFiles = await storeCounted(deps, caller, files, now);
  await transaction(deps.pool, async (client) => {
    const ownerId = await editable(client, caller, body.Id, 'for update');
    await execute(
      client,
      `update projects set name = coalesce($2, name),
         short_description = coalesce($3, short_description),
         description = coalesce($4, description), landing_url = coalesce($5, landing_url),
         updated_at = $6
       where id = $1`,
      [
        body.Id,
        body.Name ?? null,
        body.ShortDescription ?? null,
        body.Description ?? null,
        body.LandingURL ?? null,
        now,
      ],
    );
    await nameFiles(client, deps, { projectId: body.Id, files: storedFiles, now });
    await recordForeign(client, deps, edited, { ownerId, act: 'projectChanged' });
  });
}

/** Deletes a project; its files lose their names and are swept. */
export async function removeProject(deps: Deps, edited: EditedProject): Promise<void> {
  await transaction(deps.pool, async (client) => {
    const ownerId = await editable(client, edited.caller, edited.projectId, 'for update');
    await execute(client, 'delete from projects where id = $1', [edited.projectId]);
    await recordForeign(client, deps, edited, { ownerId, act: 'projectDeleted' });
  });
}
