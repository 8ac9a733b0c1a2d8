import { Button } from '@mantine/core';
import { formatCount, formatPoints, QUESTIONS } from '#domain/format.ts';
import classes from './editor.module.css';

/** How much the test has; while rows are picked, how many are, and the end of it. */
export function ListHead({
  count,
  points,
  picked,
  onPickAll,
  onPicked,
}: {
  count: number;
  points: number;
  /** Null: rows are not picked now. */
  picked: number | null;
  onPickAll: () => void;
  onPicked: () => void;
}) {
  if (picked === null) {
    return (
      <p className={classes.totals}>
        <span>{formatCount(count, QUESTIONS)}</span>
        <span>{formatPoints(points)}</span>
      </p>
    );
  }
  return (
    <div className={classes.picking}>
      <span role="status">Выбрано: {picked}</span>
      <Button variant="subtle" size="sm" onClick={onPickAll}>
        Все
      </Button>
      <Button variant="subtle" size="sm" onClick={onPicked}>
        Готово
      </Button>
    </div>
  );
}
