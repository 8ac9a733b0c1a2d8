import { createContext } from 'react';
import type { ResolveImage } from './pictures.ts';

/** Where the texts of a screen get their pictures and recordings from; undefined: it has none. */
export const Pictures = createContext<ResolveImage | undefined>(undefined);
