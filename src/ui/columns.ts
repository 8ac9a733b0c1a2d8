import classes from './columns.module.css';

/** As many columns of at least this width as fit, for Mantine's `Box`: `SimpleGrid` writes styles that the page's policy blocks. */
export const columnsOf = (
  least: string,
  { gap = '1rem', repeat = 'auto-fit' }: { gap?: string; repeat?: 'auto-fit' | 'auto-fill' } = {},
) =>
  ({
    display: 'grid',
    style: { gridTemplateColumns: `repeat(${repeat}, minmax(${least}, 1fr))`, gap },
  }) as const;

/** Of two columns, or one under the other. */
export const PAIRS = columnsOf('min(100%, max(40%, 13rem))', { repeat: 'auto-fill' });

/** These columns from a desktop's width, one column before. */
export const columnsFromDesktop = (columns: string, gap: string) =>
  ({ className: classes.columns ?? '', style: { '--columns': columns, gap } }) as const;

/** The class of a column that stays in sight and scrolls by itself from a desktop's width; `--pane` is its greatest height. */
export const PANE = classes.pane ?? '';
