import {
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core';
import { FocusableButton } from './FocusableButton.tsx';
import fields from './forms/fields.module.css';
import { palette } from './palette.ts';

const FONT = "'Golos Text', 'Golos Fallback', system-ui, sans-serif";
const px = (value: number) => `${value / 16}rem`;

/** Buttons of the main colour use the colour roles, so that both schemes have enough contrast. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isPrimary = input.color === undefined || input.color === input.theme.primaryColor;
  if (input.variant === 'filled' && isPrimary) return { ...colors, color: 'var(--app-on-primary)' };
  if (input.variant === 'subtle' || input.variant === 'transparent') {
    const color = isPrimary ? 'var(--app-link)' : colors.color;
    const hover = input.variant === 'subtle' ? 'var(--app-quiet-soft)' : 'transparent';
    return { ...colors, color: input.color === 'gray' ? 'var(--app-text)' : color, hover };
  }
  return colors;
};

/** Sizes of a button: `md` for the main action, `sm` beside others, `compact-*` inside rows. */
function buttonVars(_theme: unknown, props: { size?: unknown }) {
  const size = typeof props.size === 'string' ? props.size : 'md';
  if (size.startsWith('compact')) return { root: {} };
  const height = size === 'sm' || size === 'xs' ? 'var(--app-button-sm)' : 'var(--app-button)';
  return {
    root: { '--button-height': height, '--button-padding-x': px(16), '--button-fz': px(16) },
  };
}

/**
 * The Mantine theme. Components use the heights `--app-input`, `--app-button`, `--app-button-sm` and
 * `--app-icon-button` of global.css, which shrink on wide screens with a fine pointer.
 */
export const theme = createTheme({
  colors: palette,
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 4 },
  black: '#0e1017',
  autoContrast: true,
  luminanceThreshold: 0.3,
  variantColorResolver: variantColors,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: FONT,
  lineHeights: { xs: '1.4', sm: '1.43', md: '1.4', lg: '1.5', xl: '1.27' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  fontSizes: { xs: px(13), sm: px(14), md: px(16), lg: px(17), xl: px(20) },
  headings: {
    fontFamily: FONT,
    fontWeight: '600',
    textWrap: 'pretty',
    sizes: {
      h1: { fontSize: 'var(--app-h1)', lineHeight: '1.2' },
      h2: { fontSize: px(20), lineHeight: '1.27' },
      h3: { fontSize: px(17), lineHeight: '1.34' },
      h4: { fontSize: px(16), lineHeight: '1.4' },
    },
  },
  spacing: { xs: px(8), sm: px(12), md: px(16), lg: px(24), xl: px(32) },
  radius: { xs: px(4), sm: px(6), md: px(8), lg: px(12), xl: px(16) },
  defaultRadius: 'md',
  breakpoints: { xs: '33.75em', sm: '40em', md: '64em', lg: '80em', xl: '96em' },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'none',
    lg: '0 -2px 8px rgb(14 16 23 / .06), 0 12px 40px rgb(14 16 23 / .18)',
    xl: '0 -2px 8px rgb(14 16 23 / .06), 0 12px 40px rgb(14 16 23 / .18)',
  },
  components: {
    Button: { defaultProps: { size: 'md', component: FocusableButton }, vars: buttonVars },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray', component: FocusableButton },
      vars: () => ({ root: { '--ai-size': 'var(--app-icon-button)' } }),
    },
    CloseButton: { vars: () => ({ root: { '--cb-size': 'var(--app-icon-button)' } }) },
    Input: {
      defaultProps: { size: 'md' },
      classNames: { wrapper: fields.wrapper, input: fields.input },
      vars: () => ({ wrapper: { '--input-height': 'var(--app-input)', '--input-fz': px(16) } }),
    },
    InputWrapper: {
      defaultProps: { size: 'md', withAsterisk: false },
      classNames: {
        label: fields.label,
        description: fields.description,
        error: fields.error,
      },
    },
    Popover: { defaultProps: { shadow: 'lg' }, classNames: { dropdown: fields.dropdown } },
    Paper: {
      defaultProps: { radius: 'lg', bd: '1px solid var(--app-line)', bg: 'var(--app-surface)' },
    },
    Loader: { defaultProps: { type: 'oval', size: 'sm' } },
  },
});
