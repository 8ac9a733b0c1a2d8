import { Group } from '@mantine/core';
import { formatSizeProgress } from '#domain/format.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import classes from './ProjectForm.module.css';

export interface UploadLineProps {
  /** Bytes. */
  sent: number;
  total: number;
  onCancel: () => void;
}

/** «Отправляется, 1,5 из 2,4 МБ» with a cancel button. */
export function UploadLine({ sent, total, onCancel }: UploadLineProps) {
  const share = total === 0 ? 0 : Math.min(1, sent / total);
  return (
    <Group gap="0 1rem" justify="space-between" fz="sm">
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Отправлено"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <span className="tabular">
        {total === 0 ? 'Отправляется' : `Отправляется, ${formatSizeProgress(sent, total)}`}
      </span>
      <QuietButton onClick={onCancel}>Отменить</QuietButton>
    </Group>
  );
}
