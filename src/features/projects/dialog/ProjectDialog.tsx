import { Flex, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { FormModal } from '#app/ui/overlays/FormModal.tsx';
import { projectFilesQuery, projectQuery } from '#app/features/projects/queries.ts';
import { ProjectForm, type ProjectFormProps } from './ProjectForm.tsx';

const UNSAVED = 'Введённое в форму проекта ещё не сохранено и пропадёт.';

export interface ProjectDialogProps extends Pick<ProjectFormProps, 'userName' | 'onSaved'> {
  opened: boolean;
  /** Absent: a project is added. */
  projectId?: string | null;
  onClose: () => void;
}

/** Shows a loading indicator until the project and its files are loaded. */
function EditedProject({
  projectId,
  ...form
}: Omit<ProjectFormProps, 'edited'> & { projectId: string }) {
  const project = useQuery(projectQuery(projectId));
  const files = useQuery(projectFilesQuery(projectId));
  const problem = project.error ?? files.error;
  // The form's initial data is fixed: a refetch must not change the input.
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
    <Flex
      component="output"
      gap={0}
      align="center"
      justify="center"
      mih="16rem"
      aria-label="Загружаем проект"
    >
      <Loader size="md" />
    </Flex>
  );
}

/** Adds or edits a project; confirms dropping unsaved input. */
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
    <FormModal
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
    </FormModal>
  );
}
