import './global.css';
import './forced-colors.css';
import './mantine.css';
import './css-variables.gen.css';
import { MantineProvider, type MantineColorSchemeManager } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { theme } from './theme.ts';

/** Scrolls the focused field into view when a keyboard covers a part of the page. */
function useFieldInSight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const scroll = () => {
      const { activeElement } = document;
      if (activeElement?.matches('input, textarea'))
        activeElement.scrollIntoView({ block: 'nearest' });
    };
    viewport.addEventListener('resize', scroll);
    return () => viewport.removeEventListener('resize', scroll);
  }, []);
}

export interface AppProviderProps {
  /** Stores the chosen colour scheme. */
  colourScheme?: MantineColorSchemeManager;
  /** `test`: overlays are rendered in place, without transitions. */
  env?: 'default' | 'test';
  children: ReactNode;
}

/**
 * The theme, its variables and the base styles around the whole app. Follows the system's scheme until the user chooses
 * one. Mantine would write its variables by `innerHTML`, which Trusted Types refuse, so they come as a style sheet.
 */
export function AppProvider({ colourScheme, env = 'default', children }: AppProviderProps) {
  useFieldInSight();
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      env={env}
      {...(colourScheme && { colorSchemeManager: colourScheme })}
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateInlineStyles
    >
      {children}
    </MantineProvider>
  );
}
