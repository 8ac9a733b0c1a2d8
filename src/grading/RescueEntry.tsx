import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import classes from './grading.module.css';
import { RescueSheet } from './RescueSheet.tsx';

/** The way to bring in a device's file of answers. */
export function RescueEntry({ testId }: { testId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.rescue}>
      <QuietButton icon={IconFileImport} onClick={() => setOpen(true)}>
        Ответы из файла…
      </QuietButton>
      <RescueSheet testId={testId} opened={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}
