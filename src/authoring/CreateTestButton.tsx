import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { failureWords } from '#app/offline/failure-words.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import classes from './authoring.module.css';
import { useCreateTest } from './use-test-actions.ts';

/** «Создать тест»: makes one from the default payload and opens its editor. */
export function CreateTestButton({ fullWidth = false }: { fullWidth?: boolean }) {
  const navigate = useNavigate();
  const create = useCreateTest(
    (testId) => void navigate({ to: '/tests/manage/$testId/edit', params: { testId } }),
  );
  return (
    <div className={classes.create}>
      <Button
        fullWidth={fullWidth}
        loading={create.isPending}
        leftSection={<IconPlus size={20} stroke={1.75} aria-hidden />}
        onClick={() => create.mutate()}
      >
        Создать тест
      </Button>
      <div role="alert">
        {create.error && <FieldError>{failureWords(create.error)}</FieldError>}
      </div>
    </div>
  );
}
