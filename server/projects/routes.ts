import type { FastifyInstance } from 'fastify';
import {
  createProject,
  deleteProject,
  getProject,
  getProjectFiles,
  listMyProjects,
  listProjects,
  rateProject,
  updateProject,
} from '#contract/projects.ts';
import type { Deps } from '#server/deps.ts';
import { readBlob } from '#server/files/store/blob-store.ts';
import { rows } from '#server/db/query.ts';
import { handle } from '#server/http/handle.ts';
import { BASE64_AT_ONCE } from '#server/http/limit-concurrency.ts';
import { projectPage } from './list.ts';
import { countView, rate } from './regard.ts';
import { projectDetails } from './rows.ts';
import { addProject, changeProject, removeProject } from './save.ts';

interface FileRow {
  readonly role: 'logo' | 'documentation';
  readonly sha256: string;
  readonly mimeType: string;
}

/** The showcase and own projects. */
export function registerProjects(app: FastifyInstance, deps: Deps): void {
  const { pool, blobs } = deps;

  handle(app, deps, listProjects, ({ query }) =>
    projectPage(pool, { ownerId: null, isHidden: false }, query),
  );
  handle(app, deps, listMyProjects, ({ caller, query }) =>
    projectPage(pool, { ownerId: caller.userId, isHidden: null }, query),
  );
  handle(app, deps, getProject, async ({ caller, params: { id }, now }) => {
    await countView(deps, { caller, projectId: id, now });
    return projectDetails(pool, caller, id);
  });
  handle(app, deps, createProject, (call) => addProject(deps, call));
  handle(app, deps, updateProject, async (call) => {
    await changeProject(deps, call);
    return projectDetails(pool, call.caller, call.body.Id);
  });
  handle(app, deps, deleteProject, async ({ caller, params: { id }, now }) => {
    await removeProject(deps, { caller, projectId: id, now });
    return {};
  });
  handle(app, deps, rateProject, ({ caller, params: { id }, body, now }) =>
    rate(deps, { caller, projectId: id, now }, body.stars),
  );
  handle(
    app,
    deps,
    getProjectFiles,
    async ({ caller, params: { id } }) => {
      await projectDetails(pool, caller, id);
      const files = await rows<FileRow>(
        pool,
        `select role, encode(sha256, 'hex') as sha256, mime_type as "mimeType"
       from project_files where project_id = $1`,
        [id],
      );
      const read = async (role: FileRow['role']) => {
        const file = files.find((each) => each.role === role);
        const bytes = file && (await readBlob(blobs, file.sha256));
        return bytes
          ? { base64: bytes.toString('base64'), mimeType: file.mimeType }
          : { base64: null, mimeType: null };
      };
      const [logo, documentation] = await Promise.all([read('logo'), read('documentation')]);
      return {
        logo: logo.base64,
        logoMimeType: logo.mimeType,
        documentation: documentation.base64,
        documentationMimeType: documentation.mimeType,
      };
    },
    { atOnceEach: BASE64_AT_ONCE },
  );
}
