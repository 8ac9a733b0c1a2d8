import type { FastifyInstance } from 'fastify';
import {
  listProjects,
  listMyProjects,
  getProject,
  createProject,
  updateProject,
  deleteProject,
  rateProject,
  getProjectFiles,
} from '#contract/projects.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';

export function registerProjects(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listProjects, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, listMyProjects, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, getProject, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, createProject, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, updateProject, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, deleteProject, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, rateProject, async () => {
    throw new Refusal('UNAVAILABLE');
  });
  handle(app, deps, getProjectFiles, async () => {
    throw new Refusal('UNAVAILABLE');
  });
}
