import { Box, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { useCreateTest } from './use-test-actions.ts';

/** «Создать тест»: creates a test from the default payload and opens its editor. */
export function CreateTestButton({ fullWidth = false }: { fullWidth?: boolean }) {
  const navigate = useNavigate();
  const create = useCreateTest(
    (testId) => void navigate({ to: '/tests/manage/$testId/edit', params: { testId } }),
  );
  return (
    <Box miw={0}>
      <Button
        fullWidth={fullWidth}
        loading={create.isPending}
        leftSection={<Icon of={IconPlus} />}
        onClick={() => create.mutate()}
      >
        Создать тест
      </Button>
      <div role="alert">
        {create.error && <FieldError>{describeFailure(create.error)}</FieldError>}
      </div>
    </Box>
  );
}
