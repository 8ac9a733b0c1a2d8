import { VisuallyHidden } from '@mantine/core';

export interface SpokenTextProps {
  shown: string;
  /** What a screen reader says instead, in Russian. */
  spoken: string;
}

/** A line of signs, such as «√2», that is read aloud in words. */
export function SpokenText({ shown, spoken }: SpokenTextProps) {
  if (shown === spoken) return <span>{shown}</span>;
  return (
    <span>
      <span aria-hidden>{shown}</span>
      <VisuallyHidden lang="ru">{spoken}</VisuallyHidden>
    </span>
  );
}
