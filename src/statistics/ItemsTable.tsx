import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { ItemStatistics } from '#contract/statistics.ts';
import { kindLabel } from '#domain/labels-statistics.ts';
import { DataTable, type DataColumn } from '#app/ui/DataTable.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { Choices } from './Choices.tsx';
import { DiscriminationMark, FacilityBar, Verdict } from './Measures.tsx';
import classes from './Statistics.module.css';

/** Pictures say nothing at this size, and would each be fetched. */
const withoutPictures = (text: string) => text.replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1');

const answersId = ({ questionId }: ItemStatistics) => `answers-${questionId}`;

/** The questions with bar, figure and verdict; what was answered opens under each. */
export function ItemsTable({ items }: { items: readonly ItemStatistics[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  const columns: readonly [DataColumn<ItemStatistics>, ...DataColumn<ItemStatistics>[]] = [
    {
      key: 'question',
      head: 'Вопрос',
      isWide: true,
      renderCell: (item) => (
        <div className={classes.item}>
          <span className={classes.number}>{item.number}</span>
          <div className={classes.itemText}>
            <div className={classes.clamp}>
              <RichText inline text={withoutPictures(item.text)} />
            </div>
            <span className={classes.quiet}>{kindLabel(item.kind, item.multiple)}</span>
          </div>
        </div>
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
      renderCell: ({ discrimination }) => <DiscriminationMark value={discrimination} />,
    },
    { key: 'verdict', head: 'Вывод', renderCell: ({ reading }) => <Verdict reading={reading} /> },
    {
      key: 'answers',
      head: 'Ответы',
      renderCell: (item) => {
        const isOpen = opened.has(item.questionId);
        return (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? answersId(item) : undefined}
            aria-label={`Ответы на вопрос ${item.number}`}
            onClick={() => toggle(item.questionId)}
          >
            <IconChevronDown size={20} stroke={1.75} aria-hidden />
          </button>
        );
      },
    },
  ];
  return (
    <DataTable
      caption="Вопросы"
      rows={items}
      rowKey={({ questionId }) => questionId}
      columns={columns}
      renderDetails={(item) =>
        opened.has(item.questionId) ? <Choices item={item} id={answersId(item)} /> : null
      }
    />
  );
}
