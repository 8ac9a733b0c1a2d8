import { Flex, Stack, Text } from '@mantine/core';
import type { Board, GrantedTime } from '#contract/board.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { extraTimeMessage } from './extra-time.ts';

/** Who got minutes until when, and who did not and why. */
export function GrantResult({
  granted,
  board,
  now,
}: {
  granted: GrantedTime;
  board: Board;
  now: number;
}) {
  const { timeZone } = useDevice();
  const names = new Map(board.rows.map((row) => [row.attemptId, row.userName]));
  return (
    <Stack role="status">
      <p>{extraTimeMessage(granted, now, timeZone)}</p>
      {granted.skipped.length > 0 && (
        <>
          <p>Не добавлено:</p>
          <Flex component="ul" direction="column" gap="xs">
            {granted.skipped.map(({ attemptId, message }) => (
              <li key={attemptId}>
                <Text component="b" inherit fw={500}>
                  {names.get(attemptId) ?? 'Ученик'}
                </Text>
                : {message}
              </li>
            ))}
          </Flex>
        </>
      )}
    </Stack>
  );
}
