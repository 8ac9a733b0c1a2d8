import { IconCheck, IconDeviceMobile } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import parts from './parts.module.css';
import classes from './VerdictPanel.module.css';
import { cx } from '#app/ui/cx.ts';

export interface VerdictPanelProps {
  /** `wait`: «Не закрывайте», yellow. `done`: «Можно закрывать», green. */
  verdict: 'wait' | 'done';
  /** One sentence in large type, the page's h1. */
  heading: string;
  /** So that the page may give it the focus. */
  headingRef?: Ref<HTMLHeadingElement>;
  children?: ReactNode;
}

/** Whether the app may be closed after a finish. Changes are spoken at once. */
export function VerdictPanel({ verdict, heading, headingRef, children }: VerdictPanelProps) {
  const icon = verdict === 'done' ? IconCheck : IconDeviceMobile;
  return (
    <section className={classes.panel} data-verdict={verdict} aria-live="polite">
      <span className={cx(parts.centre, classes.sign)}>
        <Icon of={icon} size={30} />
      </span>
      <h1 ref={headingRef} tabIndex={-1}>
        {heading}
      </h1>
      {children && <div className={classes.words}>{children}</div>}
    </section>
  );
}
