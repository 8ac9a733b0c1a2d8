import { VisuallyHidden } from '@mantine/core';

/** Speaks each new word of the time once, politely; it stands on the page before it has one. */
export function TimeAnnouncer({ words }: { words: string }) {
  return <VisuallyHidden component="output">{words}</VisuallyHidden>;
}
