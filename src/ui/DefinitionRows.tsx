import type { ReactNode } from 'react';
import type { IconType } from './icon-type.ts';
import classes from './DefinitionRows.module.css';

export interface DefinitionRow {
  label: string;
  value: ReactNode;
  icon?: IconType | undefined;
}

/** Facts as rows with hairlines: icon, label, value at the end. */
export function DefinitionRows({ rows }: { rows: readonly DefinitionRow[] }) {
  return (
    <dl className={classes.rows}>
      {rows.map(({ label, value, icon: Icon }) => (
        <div key={label} className={classes.row}>
          <dt className={classes.label}>
            {Icon && <Icon size={20} stroke={1.75} aria-hidden />}
            {label}
          </dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
