import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { GuardedSheet } from '#app/ui/GuardedSheet.tsx';
import { projectFilesQuery, projectQuery } from '#app/projects/queries.ts';
import classes from './ProjectDialog.module.css';
import { ProjectForm, type ProjectFormProps } from './ProjectForm.tsx';

const UNSAVED = 'Введённое в форму проекта ещё не сохранено и пропадёт.';

export interface ProjectDialogProps extends Pick<ProjectFormProps, 'userName' | 'onSaved'> {
  opened: boolean;
  /** Absent: a project is added. */
  projectId?: string | null;
  onClose: () => void;
}

/** Shows a loading indicator until the project and its files are there. */
function EditedProject({
  projectId,
  ...form
}: Omit<ProjectFormProps, 'edited'> & { projectId: string }) {
  const project = useQuery(projectQuery(projectId));
  const files = useQuery(projectFilesQuery(projectId));
  const problem = project.error ?? files.error;
  // Once open, the form keeps what it opened with: a later copy must not move what is typed.
  const [opened, setOpened] = useState<ProjectFormProps['edited']>(null);
  const isLoading = project.isFetching || files.isFetching;
  if (opened === null && project.data && files.data && !isLoading) {
    setOpened({ project: project.data, files: files.data });
  }
  if (opened !== null) return <ProjectForm {...form} edited={opened} />;
  if (problem !== null && !isLoading) {
    const retry = () => void Promise.all([project.refetch(), files.refetch()]);
    return <QueryProblem error={problem} onRetry={retry} />;
  }
  return (
    <output className={classes.loading} aria-label="Загружаем проект">
      <Loader size="md" />
    </output>
  );
}

/** Adds or changes a project; asks before something typed is lost. */
export function ProjectDialog({
  opened,
  projectId = null,
  userName,
  onSaved,
  onClose,
}: ProjectDialogProps) {
  const [isDirty, setDirty] = useState(false);
  const form = {
    userName,
    onDirty: setDirty,
    onSaved: (name: string) => {
      onClose();
      onSaved(name);
    },
  };
  return (
    <GuardedSheet
      opened={opened}
      onClose={onClose}
      isDirty={isDirty}
      unsaved={UNSAVED}
      size="lg"
      title={projectId === null ? 'Новый проект' : 'Изменить проект'}
    >
      {projectId === null ? (
        <ProjectForm {...form} edited={null} />
      ) : (
        <EditedProject key={projectId} projectId={projectId} {...form} />
      )}
    </GuardedSheet>
  );
}
