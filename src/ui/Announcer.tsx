import { OptionalPortal, VisuallyHidden } from '@mantine/core';

/**
 * Speaks each new text once, politely. It is on the page before it has a text. It lies beside the page's root, so that
 * it speaks while a dialog makes the page inert.
 */
export function Announcer({ words }: { words: string }) {
  return (
    <OptionalPortal>
      <VisuallyHidden component="output">{words}</VisuallyHidden>
    </OptionalPortal>
  );
}
