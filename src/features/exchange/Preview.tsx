import { Box, Flex, Stack, Text } from '@mantine/core';
import { formatCount, formatPoints, QUESTIONS } from '#domain/format.ts';
import { kindLabel } from '#domain/labels-statistics.ts';
import { questionProblems } from '#domain/publishing.ts';
import { questionLabel } from '#domain/question-label.ts';
import { useMemo, useState } from 'react';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { Losses } from './Losses.tsx';
import type { ImportPart } from './import-plan.ts';
import type { ImportedTest } from './messages.ts';

/** Maximum number of rendered rows: a file may contain thousands. */
const SHOWN_AT_ONCE = 100;

/** What differs from the file, and what keeps the question from being published. */
function ItemLosses({
  losses,
  problems,
}: {
  losses: readonly string[];
  problems: readonly string[];
}) {
  const unready =
    problems.length === 0 ? [] : [`Перед публикацией исправьте: ${problems.join('; ')}`];
  const all = [...losses, ...unready];
  return all.length > 0 && <Losses of={all} />;
}

function Items({
  imported,
  problems,
  part,
  present,
  chosen,
  onToggle,
}: {
  imported: ImportedTest;
  /** Of each item. */
  problems: readonly (readonly string[])[];
  part: ImportPart;
  present: ReadonlySet<string>;
  chosen: ReadonlySet<number>;
  onToggle: (index: number) => void;
}) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const items = [...imported.items.entries()].slice(part.from, part.to);
  return (
    <>
      <ul aria-label="Войдут">
        {items.slice(0, shown).map(([index, { question, place, losses, source }]) => (
          <Box key={question.questionId} component="li" className="line-above" py="xs">
            <Flex component="label" align="flex-start" gap="sm" mih={44}>
              <input
                type="checkbox"
                aria-label={questionLabel(question)}
                checked={chosen.has(index)}
                onChange={() => onToggle(index)}
              />
              <Box component="span" miw={0}>
                <span className="break-anywhere">{questionLabel(question)}</span>
                <br />
                <Text span size="sm" c="dimmed">
                  {kindLabel(question.kind, question.kind === 'variant' && question.multiple)},{' '}
                  {formatPoints(question.points)}, {place}
                  {present.has(source) && '. Уже есть в этом тесте'}
                </Text>
              </Box>
            </Flex>
            <ItemLosses losses={losses} problems={problems[index] ?? []} />
          </Box>
        ))}
      </ul>
      {items.length > shown && (
        <QuietButton onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          Показать ещё {formatCount(Math.min(SHOWN_AT_ONCE, items.length - shown), QUESTIONS)}
        </QuietButton>
      )}
    </>
  );
}

function Refused({ refused }: Pick<ImportedTest, 'refused'>) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
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
        <QuietButton onClick={() => setShown(shown + SHOWN_AT_ONCE)}>Показать ещё</QuietButton>
      )}
    </section>
  );
}

/** Preview of a file line by line: imported, refused, and losses. */
export function Preview({
  imported,
  part,
  present,
  chosen,
  onChosen,
}: {
  imported: ImportedTest;
  /** The shown items. */
  part: ImportPart;
  /** Sources of the items that the test already has. */
  present: ReadonlySet<string>;
  chosen: ReadonlySet<number>;
  onChosen: (chosen: ReadonlySet<number>) => void;
}) {
  const toggle = (index: number) => {
    const next = new Set(chosen);
    if (!next.delete(index)) next.add(index);
    onChosen(next);
  };
  const again = imported.items.filter(({ source }) => present.has(source)).length;
  const problems = useMemo(
    () => imported.items.map(({ question }) => questionProblems(question)),
    [imported],
  );
  const unready = problems.filter(({ length }) => length > 0).length;
  const lossy = imported.items.filter(({ losses }) => losses.length > 0).length;
  return (
    <Stack>
      <div role="status">
        <Text inherit fw={600}>
          Прочитано {formatCount(imported.items.length, QUESTIONS)} из{' '}
          {imported.items.length + imported.refused.length}
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
        {again > 0 && (
          <Text size="sm" c="dimmed">
            Уже есть в этом тесте: {again}. Они не отмечены.
          </Text>
        )}
        {imported.notes.map((note) => (
          <Text key={note} size="sm" c="dimmed">
            {note}
          </Text>
        ))}
      </div>
      {imported.items.length > 0 && (
        <Items
          key={part.from}
          imported={imported}
          problems={problems}
          part={part}
          present={present}
          chosen={chosen}
          onToggle={toggle}
        />
      )}
      {imported.refused.length > 0 && <Refused refused={imported.refused} />}
    </Stack>
  );
}
