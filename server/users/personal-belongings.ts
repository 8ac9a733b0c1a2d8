import { rows } from '#server/db/query.ts';
import { extensionOf } from '#domain/file-name.ts';
import { hasPicture } from '#server/files/picture-access.ts';
import { templatesOf } from '#server/templates/store.ts';
import { entryName, json, createTimeFormat, type ExportRequest } from './personal-data.ts';
import type { ArchivedFile } from './zip.ts';

interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly landingUrl: string;
  readonly hiddenAt: Date | null;
  readonly views: number;
  readonly ratingCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

async function* projectFiles({ deps }: ExportRequest, projectId: string, path: string) {
  const found = await rows<{ sha256: string; name: string; role: 'logo' | 'documentation' }>(
    deps.pool,
    `select encode(sha256, 'hex') as sha256, name, role from project_files
     where project_id = $1 order by role`,
    [projectId],
  );
  for (const [index, { sha256, name }] of found.entries()) {
    const bytes = await deps.blobs.open(sha256);
    if (bytes) yield { path: `${path}/${entryName(index, name)}`, bytes };
  }
}

/** Own projects with their files, and the person's ratings and views of others'. */
export async function* projects(wanted: ExportRequest): AsyncGenerator<ArchivedFile> {
  const at = createTimeFormat(wanted);
  const { deps, userId } = wanted;
  const own = await rows<ProjectRow>(
    deps.pool,
    `select id, name, short_description as "shortDescription", description,
       landing_url as "landingUrl", hidden_at as "hiddenAt", views, rating_count as "ratingCount",
       created_at as "createdAt", updated_at as "updatedAt"
     from projects where owner_id = $1 order by created_at, id`,
    [userId],
  );
  for (const [index, project] of own.entries()) {
    const path = `проекты/${entryName(index, project.name)}`;
    yield json(`${path}/проект`, {
      название: project.name,
      'краткое описание': project.shortDescription,
      описание: project.description,
      сайт: project.landingUrl,
      скрыт: at(project.hiddenAt),
      просмотров: project.views,
      оценок: project.ratingCount,
      создан: at(project.createdAt),
      изменён: at(project.updatedAt),
    });
    yield* projectFiles(wanted, project.id, path);
  }
  const [rated, seen] = await Promise.all([
    rows<{ name: string; stars: number; updatedAt: Date }>(
      deps.pool,
      `select p.name, r.stars, r.updated_at as "updatedAt" from project_ratings r
         join projects p on p.id = r.project_id
       where r.user_id = $1 order by r.updated_at, p.id`,
      [userId],
    ),
    rows<{ name: string; day: string }>(
      deps.pool,
      `select p.name, v.day::text as day from project_views v join projects p on p.id = v.project_id
       where v.user_id = $1 order by v.day, p.id`,
      [userId],
    ),
  ]);
  yield json('оценки и просмотры проектов', {
    оценки: rated.map(({ name, stars, updatedAt }) => ({
      проект: name,
      звёзды: stars,
      когда: at(updatedAt),
    })),
    просмотры: seen.map(({ name, day }) => ({ проект: name, день: day })),
  });
}

/** What a teacher created: own tests with their keys, bank, templates and pictures. No students. */
export async function* teaching(wanted: ExportRequest): AsyncGenerator<ArchivedFile> {
  const at = createTimeFormat(wanted);
  const { deps, userId } = wanted;
  const tests = await rows<{ id: string; name: string; createdAt: Date; updatedAt: Date }>(
    deps.pool,
    `select id, name, created_at as "createdAt", updated_at as "updatedAt" from tests
     where owner_id = $1 order by created_at, id`,
    [userId],
  );
  for (const [index, test] of tests.entries()) {
    const [of] = await rows<{ description: string; questions: unknown; draft: unknown }>(
      deps.pool,
      `select t.description, c.questions, d.questions as draft from tests t
         left join test_contents c on c.id = t.content_id left join test_drafts d on d.test_id = t.id
       where t.id = $1`,
      [test.id],
    );
    yield json(`тесты/${entryName(index, test.name)}`, {
      название: test.name,
      описание: of?.description ?? '',
      создан: at(test.createdAt),
      изменён: at(test.updatedAt),
      вопросы: of?.questions ?? [],
      черновик: of?.draft ?? null,
    });
  }
  const bank = await rows<{ question: unknown }>(
    deps.pool,
    'select question from bank_entries where owner_id = $1 order by entry_id',
    [userId],
  );
  if (bank.length > 0)
    yield json(
      'банк вопросов',
      bank.map(({ question }) => question),
    );
  const templates = await templatesOf(deps.pool, userId);
  if (templates.length > 0)
    yield json(
      'шаблоны вопросов',
      templates.map(({ body }) => body),
    );
  const pictures = await rows<{ key: string; mimeType: string }>(
    deps.pool,
    `select key, mime_type as "mimeType" from pictures p where ${hasPicture('$1')} order by key`,
    [userId],
  );
  for (const { key, mimeType } of pictures) {
    const [picture] = await rows<{ bytes: Buffer }>(
      deps.pool,
      'select bytes from pictures where key = $1',
      [key],
    );
    const extension = extensionOf(`x.${mimeType.slice('image/'.length)}`);
    if (picture) yield { path: `картинки/${key}.${extension}`, bytes: picture.bytes };
  }
}
