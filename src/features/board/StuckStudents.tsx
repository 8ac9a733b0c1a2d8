import { Box, Flex, Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import type { BoardRow } from '#contract/board.ts';
import { formatCount } from '#domain/format.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { Answered, Contact, LastContact } from './Signs.tsx';
import { STUDENTS } from './messages.ts';

interface Rows {
  rows: readonly BoardRow[];
  now: number;
  onOpen: (userId: string) => void;
}

function More({ row, onOpen }: { row: BoardRow } & Pick<Rows, 'onOpen'>) {
  return (
    <QuietButton tone="ink" onClick={() => onOpen(row.userId)}>
      Подробнее <VisuallyHidden>{row.userName}</VisuallyHidden>
    </QuietButton>
  );
}

const CELL = { component: 'td', h: '2.875rem', px: 'xs', py: 4, ta: 'start' } as const;

function Wide({ rows, now, onOpen }: Rows) {
  return (
    <Box
      component="table"
      w="100%"
      fz={15}
      style={{ borderCollapse: 'collapse' }}
      aria-labelledby="stuck-students"
    >
      <VisuallyHidden component="thead">
        <tr>
          <th scope="col">Ученик</th>
          <th scope="col">На сервере</th>
          <th scope="col">Связь</th>
          <th scope="col">На устройстве</th>
          <th scope="col">Действие</th>
        </tr>
      </VisuallyHidden>
      <tbody>
        {rows.map((row) => (
          <tr key={row.userId} className="line-above">
            <Box {...CELL} component="th" scope="row" w="36%" ps="md" fw={500}>
              {row.userName} {row.trial && <TrialPill />}
            </Box>
            <Box {...CELL}>
              <Answered row={row} barWidth="5rem" />
            </Box>
            <Box {...CELL}>
              <Contact row={row} now={now} />
            </Box>
            <Box {...CELL}>
              <LastContact row={row} now={now} />
            </Box>
            <Box {...CELL} py={0} pe="md" ta="end">
              <More row={row} onOpen={onOpen} />
            </Box>
          </tr>
        ))}
      </tbody>
    </Box>
  );
}

const LINE = {
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: '0.375rem 0.75rem',
  alignItems: 'center',
};

function Narrow({ rows, now, onOpen }: Rows) {
  return (
    <Box component="ul" fz={15} aria-labelledby="stuck-students">
      {rows.map((row) => (
        <Box
          key={row.userId}
          component="li"
          display="grid"
          p="0.75rem 1rem 0.25rem"
          className="line-above"
          style={LINE}
        >
          <Text span inherit fw={500}>
            {row.userName} {row.trial && <TrialPill />}
          </Text>
          <Answered row={row} barWidth="3rem" />
          <Contact row={row} now={now} />
          <LastContact row={row} now={now} />
          <More row={row} onOpen={onOpen} />
        </Box>
      ))}
    </Box>
  );
}

/** Students with answers undelivered for two minutes, with the known details. */
export function StuckStudents({ isAlone, ...list }: Rows & { isAlone: boolean }) {
  const isWide = useMedia('(min-width: 900px)');
  const { rows } = list;
  if (rows.length === 0) {
    if (!isAlone) return null;
    return (
      <Text inherit c="dimmed">
        Сейчас нет никого, чьи ответы долго не доходят.
      </Text>
    );
  }
  return (
    <Paper component="section" aria-labelledby="stuck-students">
      <Flex wrap="wrap" gap="0.125rem 0.625rem" align="baseline" p="sm" px="md">
        <Title order={3} id="stuck-students" fz={18}>
          Ответы долго не доходят: {formatCount(rows.length, STUDENTS)}
        </Title>
        <Text c="dimmed" fz="sm">
          Больше 2 минут. Проверьте, что приложение открыто, а устройство включено.
        </Text>
      </Flex>
      {isWide ? <Wide {...list} /> : <Narrow {...list} />}
    </Paper>
  );
}
