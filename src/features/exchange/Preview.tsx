import { Box, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatCount, formatNumber, QUESTIONS } from '#domain/format.ts';
import { questionProblems } from '#domain/publishing.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import type { ImportedTest } from './messages.ts';
import { PreviewRows } from './PreviewRows.tsx';

/** Number of refused rows shown at first: few, since the questions are below. */
const REFUSED_AT_FIRST = 3;
const REFUSED_MORE = 100;

function Refused({ refused }: Pick<ImportedTest, 'refused'>) {
  const [shown, setShown] = useState(REFUSED_AT_FIRST);
  return (
    <section aria-label="Не войдут">
      <h3>Не войдут: {refused.length}</h3>
      <ul>
        {refused.slice(0, shown).map(({ place, excerpt, reason }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two refused ones may be alike, and none moves
          <Box key={index} component="li" className="line-above" py="xs">
            <span className="break-anywhere">{excerpt || 'Без текста'}</span>
            <br />
            <Text span size="sm" c="dimmed">
              {place}.{' '}
            </Text>
            <Text span size="sm" c="var(--app-warn-text)">
              {reason}
            </Text>
          </Box>
        ))}
      </ul>
      {refused.length > shown && (
        <QuietButton onClick={() => setShown(shown + REFUSED_MORE)}>
          Показать ещё {Math.min(REFUSED_MORE, refused.length - shown)}
        </QuietButton>
      )}
    </section>
  );
}

/** Preview of a file line by line: imported, refused, and losses. */
export function Preview({
  imported: { items, refused, notes },
  present,
  banked,
  chosen,
  onToggle,
}: {
  imported: ImportedTest;
  /** Sources of the items that the test already has. */
  present: ReadonlySet<string>;
  /** Sources of the items that the teacher's bank contains, from this test or another. */
  banked: ReadonlySet<string>;
  chosen: ReadonlySet<number>;
  /** Stays the same function. */
  onToggle: (index: number) => void;
}) {
  const problems = useMemo(() => items.map(({ question }) => questionProblems(question)), [items]);
  const remarks = useMemo(
    () =>
      items.map(({ losses }, index) => {
        const unready = problems[index] ?? [];
        return unready.length === 0
          ? losses
          : [...losses, `Перед публикацией исправьте: ${unready.join('; ')}`];
      }),
    [items, problems],
  );
  const unready = problems.filter(({ length }) => length > 0).length;
  const lossy = items.filter(({ losses }) => losses.length > 0).length;
  const inTest = items.filter(({ source }) => present.has(source)).length;
  const inBank = items.filter(({ source }) => banked.has(source) && !present.has(source)).length;
  return (
    <Stack>
      <div role="status">
        <Text inherit fw={600}>
          Прочитано {formatCount(items.length, QUESTIONS)} из{' '}
          {formatNumber(items.length + refused.length)}
        </Text>
        {lossy > 0 && (
          <Text size="sm" c="dimmed">
            С потерями: {lossy}. Они названы под вопросами.
          </Text>
        )}
        {unready > 0 && (
          <Text size="sm" c="dimmed">
            Перед публикацией исправить: {unready}.
          </Text>
        )}
        {inTest > 0 && (
          <Text size="sm" c="dimmed">
            Уже есть в этом тесте: {inTest}. Они не отмечены.
          </Text>
        )}
        {inBank > 0 && (
          <Text size="sm" c="dimmed">
            Уже есть в вашем банке вопросов: {inBank}. Они не отмечены.
          </Text>
        )}
        {notes.map((note) => (
          <Text key={note} size="sm" c="dimmed">
            {note}
          </Text>
        ))}
      </div>
      {refused.length > 0 && <Refused refused={refused} />}
      {items.length > 0 && (
        <PreviewRows
          items={items}
          remarks={remarks}
          holderOf={(source) => {
            if (present.has(source)) return 'Уже есть в этом тесте';
            return banked.has(source) ? 'Уже есть в банке' : null;
          }}
          chosen={chosen}
          onToggle={onToggle}
        />
      )}
    </Stack>
  );
}
