import type { ReactNode } from 'react';

/** Renders a screen in the site's frame; the screen provides its title and side content. */
export type RenderPage = (page: {
  title: string;
  titleAside?: ReactNode;
  children: ReactNode;
}) => ReactNode;
