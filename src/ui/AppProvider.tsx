import './global.css';
import './mantine.css';
import { MantineProvider, type MantineColorSchemeManager } from '@mantine/core';
import type { ReactNode } from 'react';
import { theme, themeCss } from './theme.ts';

const css = themeCss();

export interface AppProviderProps {
  /** Where the chosen scheme is kept. */
  colourScheme?: MantineColorSchemeManager;
  children: ReactNode;
}

/** The theme, its variables and the base styles around the whole app; follows the system's scheme until told otherwise. */
export function AppProvider({ colourScheme, children }: AppProviderProps) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      {...(colourScheme && { colorSchemeManager: colourScheme })}
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateInlineStyles
    >
      <style>{css}</style>
      {children}
    </MantineProvider>
  );
}
