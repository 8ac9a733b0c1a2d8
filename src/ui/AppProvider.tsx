import './global.css';
import './mantine.css';
import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import type { ReactNode } from 'react';
import { theme, themeCss } from './theme.ts';

const css = themeCss();
const colourScheme = localStorageColorSchemeManager({ key: 'color-scheme' });

/** The theme, its variables and the base styles around the whole app; follows the system's scheme. */
export function AppProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colourScheme}
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateInlineStyles
    >
      <style>{css}</style>
      {children}
    </MantineProvider>
  );
}
