import type { ProjectListProps } from './project-search.ts';

/** The showcase, «Все проекты». */
export function ProjectsPage(_props: ProjectListProps) {
  return null;
}
