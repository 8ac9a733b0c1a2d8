import { Flex, Loader, VisuallyHidden } from '@mantine/core';

/** A spinner in the middle of a whole page. */
export function PageSpinner({ label = 'Загружаем' }: { label?: string }) {
  return (
    <Flex
      component="output"
      data-waiting
      pos="fixed"
      inset={0}
      align="center"
      justify="center"
      style={{ pointerEvents: 'none' }}
    >
      <Loader size="lg" aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </Flex>
  );
}
