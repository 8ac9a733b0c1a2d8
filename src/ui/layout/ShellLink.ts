import type { CSSProperties, FunctionComponent, ReactNode } from 'react';

/**
 * When a navigation starts (specification, section 2): at once, a moment after a menu has closed, or after the page has
 * scrolled to its top.
 */
export type NavigationTiming = 'immediate' | 'afterClosing' | 'afterScroll';

export interface ShellLinkProps {
  to: string;
  timing?: NavigationTiming;
  className?: string | undefined;
  style?: CSSProperties | undefined;
  'aria-current'?: 'page' | undefined;
  'aria-label'?: string | undefined;
  children: ReactNode;
}

/** The router's link, passed in: `ui` does not know the router. */
export type ShellLink = FunctionComponent<ShellLinkProps>;
