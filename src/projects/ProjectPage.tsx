export interface ProjectPageProps {
  projectId: string;
  /** After the project was deleted. */
  onDeleted: () => void;
}

/** One project as others see it; its owner and administrators may edit it. */
export function ProjectPage(_props: ProjectPageProps) {
  return null;
}
