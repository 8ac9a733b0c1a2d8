import { ActionIcon, Box, Button, Group, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { ItemStatistics } from '#contract/statistics.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { questionKindLabel } from '#domain/labels-kinds.ts';
import { DataTable, type DataColumn } from '#app/ui/data/DataTable.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { QuestionLabel } from '#app/questions/QuestionLabel.tsx';
import { INSET } from './CardHead.tsx';
import { Choices } from './Choices.tsx';
import { DiscriminationMark, FacilityBar, Verdict } from './Measures.tsx';

/** Characters of a question in two lines. */
const TWO_LINES = 160;

/** Number of questions shown at first; further ones on request. */
const FIRST_ITEMS = { phone: 5, table: 10 } as const;

const answersId = ({ questionId }: ItemStatistics) => `answers-${questionId}`;

function columnsOf(
  opened: ReadonlySet<string>,
  onToggle: (questionId: string) => void,
): readonly [DataColumn<ItemStatistics>, ...DataColumn<ItemStatistics>[]] {
  return [
    {
      key: 'question',
      head: 'Вопрос',
      isWide: true,
      renderCell: (item) => (
        <Group gap="sm" align="stretch" wrap="nowrap">
          <Text span inherit c="dimmed" flex="none" miw="1.5rem" className="tabular">
            {item.number}
          </Text>
          <Box miw={0}>
            <Text component="div" inherit lineClamp={2}>
              <QuestionLabel question={item} characters={TWO_LINES} />
            </Text>
            <Text span size="sm" c="dimmed">
              {questionKindLabel(item)}
            </Text>
          </Box>
        </Group>
      ),
    },
    {
      key: 'facility',
      head: 'Решаемость',
      isFigure: true,
      renderCell: ({ facility }) => <FacilityBar facility={facility} />,
    },
    {
      key: 'discrimination',
      head: 'Различение',
      isFigure: true,
      narrow: 'none',
      renderCell: ({ discrimination }) => <DiscriminationMark value={discrimination} />,
    },
    {
      key: 'verdict',
      head: 'Вывод',
      narrow: 'line',
      renderCell: ({ reading }) => <Verdict reading={reading} />,
    },
    {
      key: 'answers',
      head: 'Ответы',
      narrow: 'line',
      renderCell: (item) => {
        const isOpen = opened.has(item.questionId);
        return (
          <ActionIcon
            color="ink"
            aria-expanded={isOpen}
            aria-controls={isOpen ? answersId(item) : undefined}
            aria-label={`Ответы на вопрос ${item.number}`}
            onClick={() => onToggle(item.questionId)}
          >
            <Icon of={IconChevronDown} className="chevron" />
          </ActionIcon>
        );
      },
    },
  ];
}

/** The questions with bar, figure and verdict; expandable to the answers. */
export function ItemsTable({ items }: { items: readonly ItemStatistics[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const isTable = useMedia('(min-width: 640px)');
  const first = isTable ? FIRST_ITEMS.table : FIRST_ITEMS.phone;
  // A button would be as high as two more questions.
  const shown = isWhole || items.length <= first + 2 ? items : items.slice(0, first);
  const toggle = (id: string) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  const columns = columnsOf(opened, toggle);
  return (
    <>
      <DataTable
        caption="Вопросы"
        rows={shown}
        rowKey={({ questionId }) => questionId}
        columns={columns}
        renderDetails={(item) =>
          opened.has(item.questionId) ? (
            <>
              {!isTable && (
                <Group component="p" gap="sm" className="tabular">
                  <span>Различение</span> <DiscriminationMark value={item.discrimination} />
                </Group>
              )}
              <Choices item={item} id={answersId(item)} />
            </>
          ) : null
        }
      />
      {shown.length < items.length && (
        <Box {...INSET} mt="sm">
          <Button variant="default" onClick={() => setWhole(true)}>
            Показать все: {formatCount(items.length, QUESTIONS)}
          </Button>
        </Box>
      )}
    </>
  );
}
