import { Box, Paper, UnstyledButton } from '@mantine/core';
import type { BoardRow } from '#contract/board.ts';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import classes from './Board.module.css';
import { inColumns } from './rules.ts';
import { Answered, AttemptState, ShortContact } from './Signs.tsx';

/** All students by surname, in up to three columns. */
export function StudentColumns({
  rows,
  now,
  onOpen,
}: {
  rows: readonly BoardRow[];
  now: number;
  onOpen: (userId: string) => void;
}) {
  const isTablet = useMedia('(min-width: 640px)');
  const isTwo = useMedia('(min-width: 800px)');
  const isThree = useMedia('(min-width: 1240px)');
  const columns = inColumns(rows, isThree ? 3 : isTwo ? 2 : 1);
  return (
    <Box className={classes.columns} style={{ '--columns': columns.length }}>
      {columns.map((column, index) => (
        <Paper key={column[0]?.userId} className={classes.column} fz={15}>
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
                  <td>
                    <AttemptState row={row} />
                    {row.state !== 'notStarted' && (
                      <Answered row={row} barWidth={isTablet ? '3rem' : undefined} />
                    )}
                  </td>
                  <td>
                    <ShortContact row={row} now={now} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Paper>
      ))}
    </Box>
  );
}
