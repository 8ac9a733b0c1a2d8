import {
  DEFAULT_THEME,
  convertCssVariables,
  defaultCssVariablesResolver,
  mergeMantineTheme,
  type CSSVariablesResolver,
} from '@mantine/core';
import { theme } from './theme.ts';

const c = (shade: string) => `var(--mantine-color-${shade})`;

/** Mantine's own variables, mapped to our colour roles. */
const mantineRoles = {
  '--mantine-color-text': 'var(--app-text)',
  '--mantine-color-body': 'var(--app-body)',
  '--mantine-color-bright': 'var(--app-text)',
  '--mantine-color-dimmed': 'var(--app-dimmed)',
  '--mantine-color-placeholder': 'var(--app-dimmed)',
  '--mantine-color-error': 'var(--app-bad-text)',
  '--mantine-color-success': 'var(--app-ok-text)',
  '--mantine-color-anchor': 'var(--app-link)',
  '--mantine-color-default': 'var(--app-surface)',
  '--mantine-color-default-hover': 'var(--app-quiet-soft)',
  '--mantine-color-default-color': 'var(--app-text)',
  '--mantine-color-default-border': 'var(--app-control)',
  '--mantine-color-disabled': 'var(--app-quiet-soft)',
  '--mantine-color-disabled-color': 'var(--app-dimmed)',
  '--mantine-color-disabled-border': 'var(--app-control)',
  '--mantine-color-ink-filled-hover': 'var(--app-primary-hover)',
  '--mantine-primary-color-contrast': 'var(--app-on-primary)',
};

/** The colour roles. Components use these and never a shade of the palette. */
const lightRoles = {
  '--app-body': c('gray-1'),
  '--app-surface': '#fff',
  '--app-raised': '#fff',
  '--app-text': c('gray-9'),
  '--app-dimmed': c('gray-7'),
  '--app-line': c('gray-3'),
  '--app-control': c('gray-5'),
  '--app-primary': c('ink-7'),
  '--app-on-primary': '#fff',
  '--app-link': c('ink-7'),
  '--app-primary-hover': c('ink-8'),
  '--app-primary-soft': c('ink-0'),
  '--app-primary-soft-text': c('ink-7'),
  '--app-ok-soft': c('green-0'),
  '--app-ok-text': c('green-7'),
  '--app-warn-soft': c('yellow-0'),
  '--app-warn-text': c('yellow-8'),
  '--app-bad-soft': c('red-0'),
  '--app-bad-text': c('red-7'),
  '--app-info-soft': c('blue-0'),
  '--app-info-text': c('blue-7'),
  '--app-quiet-soft': c('gray-1'),
  '--app-quiet-text': c('gray-7'),
  '--app-ok-fill': c('green-6'),
  '--app-invert': c('gray-9'),
  '--app-on-invert': '#fff',
  '--app-nav-on': c('ink-1'),
  '--app-nav-on-text': c('ink-7'),
  '--app-chart': c('ink-5'),
  '--app-focus': c('ink-5'),
  '--app-margin-line': '#f1b8b2',
  '--app-cell-line': c('ink-1'),
  ...mantineRoles,
};

/** The same roles in the dark. */
const darkRoles = {
  '--app-body': c('dark-9'),
  '--app-surface': c('dark-8'),
  '--app-raised': c('dark-7'),
  '--app-text': c('dark-0'),
  '--app-dimmed': c('dark-2'),
  '--app-line': c('dark-6'),
  '--app-control': c('dark-3'),
  '--app-primary': c('ink-4'),
  '--app-on-primary': c('dark-9'),
  '--app-link': c('ink-3'),
  '--app-primary-hover': c('ink-3'),
  '--app-primary-soft': '#242a49',
  '--app-primary-soft-text': c('ink-2'),
  '--app-ok-soft': '#18312a',
  '--app-ok-text': c('green-3'),
  '--app-warn-soft': '#382c17',
  '--app-warn-text': c('yellow-3'),
  '--app-bad-soft': '#3d2222',
  '--app-bad-text': c('red-3'),
  '--app-info-soft': '#1a2f3e',
  '--app-info-text': c('blue-3'),
  '--app-quiet-soft': c('dark-7'),
  '--app-quiet-text': c('dark-2'),
  '--app-ok-fill': c('green-4'),
  '--app-invert': c('dark-0'),
  '--app-on-invert': c('dark-9'),
  '--app-nav-on': '#242a49',
  '--app-nav-on-text': c('ink-2'),
  '--app-chart': c('ink-4'),
  '--app-focus': c('ink-3'),
  '--app-margin-line': '#6b3a3a',
  '--app-cell-line': '#222739',
  ...mantineRoles,
};

const appCssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-text-wrap': 'wrap',
    // The tone `ink` is the main colour. Each tone has a `-soft` and a `-text` colour.
    '--app-ink-soft': 'var(--app-primary-soft)',
    '--app-ink-text': 'var(--app-primary-soft-text)',
  },
  light: lightRoles,
  dark: darkRoles,
});

const UNUSED_COLOURS = /^--mantine-color-(?:pink|grape|violet|indigo|cyan|teal|lime|orange)-/;

/**
 * The theme's variables as CSS text: the content of `css-variables.gen.css`, as its test checks. The app loads that
 * file instead of this one, since a slow phone takes 50 ms to compute it.
 */
export function themeCss(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const base = defaultCssVariablesResolver(merged);
  const own = appCssVariables(merged);
  const part = (name: 'variables' | 'light' | 'dark') =>
    Object.fromEntries(
      Object.entries({ ...base[name], ...own[name] }).filter(([key]) => !UNUSED_COLOURS.test(key)),
    );
  return convertCssVariables(
    { variables: part('variables'), light: part('light'), dark: part('dark') },
    ':root',
  );
}
