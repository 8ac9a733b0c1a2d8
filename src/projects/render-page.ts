import type { ReactNode } from 'react';

/** Puts a screen into the frame of the site: the screen itself knows its title and what stands beside it. */
export type RenderPage = (page: {
  title: string;
  titleAside?: ReactNode;
  children: ReactNode;
}) => ReactNode;
