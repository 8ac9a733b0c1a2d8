import type { ShellLink } from './ShellLink.ts';
import classes from './Tabs.module.css';

export interface Tab {
  to: string;
  label: string;
  active: boolean;
}

/** Pages of one thing side by side; one under the other up to 540 px. */
export function Tabs({
  label,
  tabs,
  link: Link,
}: {
  label: string;
  tabs: readonly Tab[];
  link: ShellLink;
}) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, label: words, active }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          aria-current={active ? ('page' as const) : undefined}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
