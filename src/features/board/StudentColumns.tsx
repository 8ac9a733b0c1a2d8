import { Box, Paper, UnstyledButton } from '@mantine/core';
import type { BoardRow } from '#contract/board.ts';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import classes from './Board.module.css';
import { contactOf, inColumns, missingOf } from './rules.ts';
import { ReadyMark } from './readiness/ReadyMark.tsx';
import type { StudentVerdict } from './readiness/verdicts.ts';
import { Answered, AttemptState, ShortContact } from './Signs.tsx';
import { columnsOf } from '#app/ui/columns.ts';

/** Without it the state has the width of both cells. */
const hasContact = (row: BoardRow, now: number) =>
  missingOf(row) > 0 || contactOf(row, now).kind !== 'none';

/** All students by surname, in up to three columns. */
export function StudentColumns({
  rows,
  now,
  readiness,
  onOpen,
}: {
  rows: readonly BoardRow[];
  now: number;
  /** By student; empty for a test that needs a network to begin. */
  readiness: ReadonlyMap<string, StudentVerdict>;
  onOpen: (userId: string) => void;
}) {
  const isTablet = useMedia('(min-width: 640px)');
  const isTwo = useMedia('(min-width: 800px)');
  const isThree = useMedia('(min-width: 1240px)');
  const columns = inColumns(rows, isThree ? 3 : isTwo ? 2 : 1);
  const barWidth = isTwo ? '2rem' : isTablet ? '6.5rem' : undefined;
  return (
    <Box
      // Fewer columns when a larger font size leaves no space.
      {...columnsOf(`min(100%, max(20rem, 100% / ${columns.length} - 1rem))`)}
    >
      {columns.map((column, index) => (
        // Larger letters need more than a column has: the table scrolls, the page does not. Positioned for the texts that are only spoken.
        <Paper
          className="self-start"
          key={column[0]?.userId}
          pos="relative"
          fz={isThree ? 14 : 15}
          style={{ overflowX: 'auto' }}
        >
          <table
            className={classes.students}
            aria-label={columns.length === 1 ? 'Ученики' : `Ученики, часть ${index + 1}`}
          >
            <thead>
              <tr>
                <th scope="col">Ученик</th>
                <th scope="col">На сервере</th>
                <th scope="col">Связь</th>
              </tr>
            </thead>
            <tbody>
              {column.map((row) => (
                <tr key={row.userId}>
                  <th scope="row">
                    <UnstyledButton
                      fz="inherit"
                      aria-haspopup="dialog"
                      onClick={() => onOpen(row.userId)}
                    >
                      {row.userName}
                    </UnstyledButton>
                    {row.trial && <TrialPill />}
                  </th>
                  <td colSpan={hasContact(row, now) ? 1 : 2}>
                    <AttemptState row={row} />
                    {row.state === 'notStarted' ? (
                      <ReadyMark judged={readiness.get(row.userId)} />
                    ) : (
                      <Answered row={row} barWidth={barWidth} />
                    )}
                  </td>
                  {hasContact(row, now) && (
                    <td>
                      <ShortContact row={row} now={now} />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Paper>
      ))}
    </Box>
  );
}
