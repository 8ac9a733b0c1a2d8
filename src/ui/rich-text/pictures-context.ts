import { createContext } from 'react';
import type { ResolveImage } from './pictures.ts';

/** The source of the pictures and recordings in a screen's texts; undefined: it has none. */
export const Pictures = createContext<ResolveImage | undefined>(undefined);
