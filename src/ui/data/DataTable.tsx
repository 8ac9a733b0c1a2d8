import { Box, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { cx } from '#app/ui/cx.ts';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './DataTable.module.css';
import { useMedia } from '#app/ui/use-media.ts';

export interface DataColumn<Row> {
  /** Stable; names the column that the table is sorted by. */
  key: string;
  head: string;
  renderCell: (row: Row) => ReactNode;
  /** Figures, aligned to the right. */
  isFigure?: boolean;
  /** Its head is a button that sorts by it. */
  isSortable?: boolean;
  /** Takes the width that the other columns leave. */
  isWide?: boolean;
  /** Below 640 px: `line` puts the value in one line with others, its name only spoken; `none` leaves it out. */
  narrow?: 'line' | 'none';
}

export interface DataSort {
  key: string;
  descending: boolean;
  onSort: (key: string, descending: boolean) => void;
}

export interface DataTableProps<Row> {
  /** Spoken before the table. */
  caption: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The first one names the row. */
  columns: readonly [DataColumn<Row>, ...DataColumn<Row>[]];
  sort?: DataSort;
  /** Details under a row; null: none. */
  renderDetails?: (row: Row) => ReactNode;
}

function Head<Row>({ column, sort }: { column: DataColumn<Row>; sort: DataSort | undefined }) {
  if (!sort || !column.isSortable) return <span>{column.head}</span>;
  const isOn = sort.key === column.key;
  const icon = isOn ? (sort.descending ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <UnstyledButton
      className={cx('tap', classes.sort)}
      mih="2.25rem"
      mx={-4}
      px={4}
      bdrs="sm"
      fz="inherit"
      ta="inherit"
      data-on={isOn || undefined}
      onClick={() => sort.onSort(column.key, isOn && !sort.descending)}
    >
      {column.head}
      <Icon of={icon} size={16} />
    </UnstyledButton>
  );
}

const sortOf = (sort: DataSort | undefined, key: string) =>
  sort?.key === key ? (sort.descending ? 'descending' : 'ascending') : undefined;

const FIGURE = { className: 'tabular nowrap', ta: 'end' } as const;
const HEAD = {
  h: 'auto',
  py: 4,
  c: 'dimmed',
  fz: 'xs',
  fw: 400,
  lh: 1.3,
  ta: 'start',
} as const;
const WIDE = { w: '100%', miw: '13rem' } as const;

function WideTable<Row>({
  caption,
  rows,
  rowKey,
  columns,
  sort,
  renderDetails,
}: DataTableProps<Row>) {
  return (
    <table className={classes.table}>
      <VisuallyHidden component="caption">{caption}</VisuallyHidden>
      <thead>
        <tr>
          {columns.map((column) => (
            <Box
              component="th"
              key={column.key}
              scope="col"
              aria-sort={sortOf(sort, column.key)}
              {...HEAD}
              {...(column.isFigure && FIGURE)}
              {...(column.isWide && WIDE)}
            >
              <Head column={column} sort={sort} />
            </Box>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const more = renderDetails?.(row);
          return (
            <Fragment key={rowKey(row)}>
              <tr>
                {columns.map((column) => (
                  <Box component="td" key={column.key} {...(column.isFigure && FIGURE)}>
                    {column.renderCell(row)}
                  </Box>
                ))}
              </tr>
              {more != null && (
                <tr>
                  <Box
                    component="td"
                    colSpan={columns.length}
                    h="auto"
                    p="0.75rem 1rem 1rem"
                    bg="var(--app-quiet-soft)"
                  >
                    {more}
                  </Box>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function NarrowRows<Row>({ caption, rows, rowKey, columns, renderDetails }: DataTableProps<Row>) {
  const [title, ...others] = columns;
  const inLine = others.filter(({ narrow }) => narrow === 'line');
  const below = others.filter(({ narrow }) => narrow === undefined);
  return (
    <ul aria-label={caption}>
      {rows.map((row) => (
        <Box component="li" key={rowKey(row)} className="line-below" py="sm">
          <div>{title.renderCell(row)}</div>
          {inLine.length > 0 && (
            <Group component="dl" mt={4} justify="space-between" gap="0.25rem 1rem" mih="2rem">
              {inLine.map((column) => (
                <div key={column.key}>
                  <VisuallyHidden component="dt">{column.head}</VisuallyHidden>
                  <Box component="dd" className="tabular">
                    {column.renderCell(row)}
                  </Box>
                </div>
              ))}
            </Group>
          )}
          {below.length > 0 && (
            <Box component="dl" mt={inLine.length > 0 ? 0 : 4}>
              {below.map((column) => (
                <Group key={column.key} justify="space-between" wrap="nowrap" mih="2rem">
                  <Text component="dt" size="sm" c="dimmed" flex="none" maw="60%">
                    {column.head}
                  </Text>
                  <Box component="dd" className="tabular break-anywhere" miw={0} ta="end">
                    {column.renderCell(row)}
                  </Box>
                </Group>
              ))}
            </Box>
          )}
          {renderDetails?.(row)}
        </Box>
      ))}
    </ul>
  );
}

/** Rows of figures. From 640 px a table; below, each row is a list of «name — value». */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isTable = useMedia('(min-width: 640px)');
  if (!isTable) return <NarrowRows {...props} />;
  return (
    // Hidden texts are positioned: without it they widen the page, not what scrolls.
    <Box pos="relative" style={{ overflowX: 'auto' }}>
      <WideTable {...props} />
    </Box>
  );
}
