import { Group, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatReady } from './messages.ts';
import { countReady, type StudentVerdict } from './verdicts.ts';

/** How many devices are ready, with the way to the list. */
export function ReadinessSummary({
  testId,
  judged,
}: {
  testId: string;
  judged: readonly StudentVerdict[];
}) {
  return (
    <Paper component="section" p="md" aria-labelledby="readiness-summary">
      <Group gap="0.25rem 1rem">
        <Title order={2} fz={17} id="readiness-summary">
          Готовность устройств
        </Title>
        <Text role="status" className="tabular" flex={1} miw="12rem">
          {formatReady(countReady(judged))}
        </Text>
        <Link to="/tests/manage/$testId/readiness" params={{ testId }} className="tap">
          Кто не готов и почему
        </Link>
      </Group>
    </Paper>
  );
}
