import { createContext } from 'react';

/** The language that a test's own texts are written in; undefined: that of the interface. */
export const ContentLanguage = createContext<string | undefined>(undefined);
