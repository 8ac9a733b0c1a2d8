import { Box } from '@mantine/core';
import { ShareBar } from './ShareBar.tsx';

export interface ProgressBarProps {
  /** 0 to 1. */
  share: number;
  label: string;
}

/** How much of a work is done, in full width. */
export function ProgressBar({ share, label }: ProgressBarProps) {
  return (
    <Box
      lh={0}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share * 100)}
    >
      <ShareBar share={share} width="100%" />
    </Box>
  );
}
