import { Box } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { RescueModal } from './RescueModal.tsx';

/** Entry point to importing a device's file of answers. */
export function RescueEntry({ testId }: { testId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box maw="48rem">
      <QuietButton icon={IconFileImport} onClick={() => setOpen(true)}>
        Ответы из файла…
      </QuietButton>
      <RescueModal testId={testId} opened={isOpen} onClose={() => setOpen(false)} />
    </Box>
  );
}
