import { Box, Button, Flex } from '@mantine/core';
import { formatCount, formatPoints, QUESTIONS } from '#domain/format.ts';

/** Totals of the test; in selection mode the number of selected rows and the exit button. */
export function ListHead({
  count,
  points,
  picked,
  onPickAll,
  onPicked,
}: {
  count: number;
  points: number;
  /** Null: not in selection mode. */
  picked: number | null;
  onPickAll: () => void;
  onPicked: () => void;
}) {
  if (picked === null) {
    return (
      <Flex
        component="p"
        gap="0.25rem 1rem"
        align="center"
        justify="space-between"
        fz={15}
        c="dimmed"
        mih="2.75rem"
        px="0.25rem 0.625rem"
        className="tabular"
      >
        <span>{formatCount(count, QUESTIONS)}</span>
        <span>{formatPoints(points)}</span>
      </Flex>
    );
  }
  return (
    <Flex align="center" mih={44} ps={4} fz={15} className="tabular">
      <Box flex={1} role="status">
        Выбрано: {picked}
      </Box>
      <Button variant="subtle" size="sm" onClick={onPickAll}>
        Все
      </Button>
      <Button variant="subtle" size="sm" onClick={onPicked}>
        Готово
      </Button>
    </Flex>
  );
}
