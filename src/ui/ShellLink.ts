import type { ComponentType, ReactNode } from 'react';

export interface ShellLinkProps {
  to: string;
  className?: string | undefined;
  'aria-current'?: 'page' | undefined;
  'aria-label'?: string | undefined;
  children: ReactNode;
}

/** The router's link, given from outside: ui knows no router. */
export type ShellLink = ComponentType<ShellLinkProps>;
