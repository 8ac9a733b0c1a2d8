import { createContext } from 'react';

/** The language of a test's own texts; undefined: that of the interface. */
export const ContentLanguage = createContext<string | undefined>(undefined);
