import type { ReactNode } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
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
      {rows.map(({ label, value, icon }) => (
        <div key={label} className={classes.row}>
          <dt className={classes.label}>
            {icon && <Icon of={icon} />}
            {label}
          </dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
