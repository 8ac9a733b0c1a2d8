import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { DOCUMENTATION_BYTES, LOGO_BYTES } from '#contract/limits.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { stableId } from '#server/ids.ts';
import { nameFiles, storeFormFiles, type StoredProjectFile } from '#server/projects/files.ts';
import { type DemoProject, demoProjects } from './content/projects.ts';
import { demoPeople } from './people.ts';
import { personId } from './demo-accounts.ts';
import { picturesFolder } from './seed-tests.ts';

const WEEK_MS = 7 * 86_400_000;

export const projectId = (key: string): string => stableId(`project/${key}`);

const ids = demoPeople.map(({ email }) => personId(email));
const ownerId = ({ owner }: DemoProject) =>
  personId(demoPeople.find(({ userName }) => userName === owner)?.email ?? '');

/** Stored like any other file. */
async function filesOf(deps: Deps, { key, documentation }: DemoProject, now: Date) {
  const read = (file: string, most: number) =>
    deps.blobs.receive(createReadStream(join(picturesFolder(), file)), most);
  return storeFormFiles(
    deps,
    {
      LogoPhoto: {
        name: `${key}.png`,
        incoming: await read(`project-${key}.png`, LOGO_BYTES),
      },
      Documentation: {
        name: documentation,
        incoming: await read(`project-${key}.pdf`, DOCUMENTATION_BYTES),
      },
    },
    now,
  );
}

/** Stars by as many of the demo's people, except the owner. */
async function plantRatings(client: PoolClient, project: DemoProject, at: Date): Promise<void> {
  const [five, four, three] = project.stars;
  const stars = [
    ...Array.from({ length: five }, () => 5),
    ...Array.from({ length: four }, () => 4),
    ...Array.from({ length: three }, () => 3),
  ];
  const raters = ids.filter((id) => id !== ownerId(project)).slice(0, stars.length);
  await execute(
    client,
    `insert into project_ratings (project_id, user_id, stars, updated_at)
     select $1, r.user_id, r.stars, $4 from unnest($2::uuid[], $3::smallint[]) as r (user_id, stars)`,
    [projectId(project.key), raters, stars, at],
  );
  await execute(client, 'update projects set rating_sum = $2, rating_count = $3 where id = $1', [
    projectId(project.key),
    stars.reduce((sum, one) => sum + one, 0),
    stars.length,
  ]);
}

async function plant(
  client: PoolClient,
  deps: Deps,
  of: { project: DemoProject; files: readonly StoredProjectFile[]; createdAt: Date },
): Promise<void> {
  const { project, files, createdAt } = of;
  await execute(
    client,
    `insert into projects (id, owner_id, name, short_description, description, landing_url, views,
       created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      projectId(project.key),
      ownerId(project),
      project.name,
      project.shortDescription,
      project.description,
      project.landingURL,
      project.views,
      createdAt,
    ],
  );
  await nameFiles(client, deps, {
    projectId: projectId(project.key),
    files,
    now: createdAt,
  });
  await plantRatings(client, project, createdAt);
}

/** Plants the showcase at the demo's first start; later starts leave it unchanged. */
export async function seedProjects(deps: Deps, now: Date): Promise<void> {
  const planted = await one(
    deps.pool,
    'select 1 from projects where id = any($1::uuid[]) limit 1',
    [demoProjects.map(({ key }) => projectId(key))],
  );
  if (planted) return;
  const storedFiles = await Promise.all(
    demoProjects.map(async (project) => ({ project, files: await filesOf(deps, project, now) })),
  );
  await transaction(deps.pool, async (client) => {
    for (const [index, { project, files }] of storedFiles.entries())
      await plant(client, deps, {
        project,
        files,
        createdAt: new Date(now.getTime() - (index + 1) * WEEK_MS),
      });
  });
}
