import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteProject } from '#contract/projects.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { forgetProject } from './queries.ts';

export interface DeleteProjectModalProps {
  /** Null: closed. */
  project: { id: string; name: string } | null;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before a project is deleted. */
export function DeleteProjectModal({ project, onClose, onDeleted }: DeleteProjectModalProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: string) => call(deleteProject, { params: { id } }),
    onSuccess: (_reply, id) => {
      onDeleted();
      void forgetProject(client, id);
    },
  });
  return (
    <ConfirmModal
      opened={project !== null}
      title="Удалить проект?"
      confirm="Удалить"
      cancel="Оставить"
      isBusy={remove.isPending}
      problem={remove.error ? describeFailure(remove.error) : null}
      onConfirm={() => {
        if (project) remove.mutate(project.id);
      }}
      onClose={() => {
        remove.reset();
        onClose();
      }}
    >
      {project && (
        <p>
          Проект «{project.name}» удалится насовсем вместе с логотипом, документацией, оценками и
          просмотрами.
        </p>
      )}
    </ConfirmModal>
  );
}
