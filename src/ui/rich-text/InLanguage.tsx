import { useContext, type ReactNode } from 'react';
import { ContentLanguage } from './content-language.ts';

/** Words of a test that are no Markdown, in its language. */
export const InLanguage = ({ children }: { children: ReactNode }) => (
  <span lang={useContext(ContentLanguage)}>{children}</span>
);
