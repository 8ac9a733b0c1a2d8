import { useContext, type ReactNode } from 'react';
import { ContentLanguage } from './content-language.ts';

/** A test's texts without Markdown, in its language. */
export const InLanguage = ({ children }: { children: ReactNode }) => (
  <span lang={useContext(ContentLanguage)}>{children}</span>
);
