import type { ProjectListProps } from './project-search.ts';

/** «Мои проекты» with «Добавить проект». */
export function MyProjectsPage(_props: ProjectListProps) {
  return null;
}
