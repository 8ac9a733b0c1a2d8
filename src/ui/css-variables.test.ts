import { expect, test } from 'vitest';
import { themeCss } from './css-variables.ts';

const css = themeCss();

test('the file that the app loads holds the variables of the theme', async () => {
  await expect(`${css}\n`).toMatchFileSnapshot('css-variables.gen.css');
});

const PAIRS = [
  ['text', 'surface'],
  ['text', 'body'],
  ['text', 'raised'],
  ['dimmed', 'surface'],
  ['dimmed', 'body'],
  ['dimmed', 'raised'],
  ['on-primary', 'primary'],
  ['on-primary', 'primary-hover'],
  ['link', 'surface'],
  ['link', 'raised'],
  ['primary-soft-text', 'primary-soft'],
  ['text', 'primary-soft'],
  ['ok-text', 'ok-soft'],
  ['ok-text', 'surface'],
  ['warn-text', 'warn-soft'],
  ['warn-text', 'surface'],
  ['bad-text', 'bad-soft'],
  ['bad-text', 'surface'],
  ['info-text', 'info-soft'],
  ['quiet-text', 'quiet-soft'],
  ['on-invert', 'invert'],
  ['nav-on-text', 'nav-on'],
] as const;

/** The variables of one scheme, those of the palette among them. */
function scheme(name: 'light' | 'dark'): Map<string, string> {
  const values = new Map<string, string>();
  const blocks = css.matchAll(/:root(?:\[data-mantine-color-scheme="(\w+)"\])?\s*\{([^}]*)\}/g);
  for (const [, of, body = ''] of blocks) {
    if (of && of !== name) continue;
    for (const [, key = '', value = ''] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g))
      values.set(key, value);
  }
  return values;
}

function colourOf(values: Map<string, string>, name: string): string {
  const value = values.get(name) ?? '';
  const inner = /^var\((--[\w-]+)\)$/.exec(value.trim())?.[1];
  return inner ? colourOf(values, inner) : value.trim();
}

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[\da-f]/gi, (digit) => digit + digit) : hex;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.each(['light', 'dark'] as const)(
  'texts of the %s scheme have at least 6.5 contrast',
  (name) => {
    const values = scheme(name);
    const weak = PAIRS.filter(
      ([text, ground]) =>
        !(contrast(colourOf(values, `--app-${text}`), colourOf(values, `--app-${ground}`)) >= 6.5),
    );
    expect(weak).toEqual([]);
  },
);

test.each(['light', 'dark'] as const)(
  'borders, marks and focus of the %s scheme have at least 3',
  (name) => {
    const values = scheme(name);
    const surface = colourOf(values, '--app-surface');
    const signs = ['control', 'ok-fill', 'focus', 'chart', 'primary'];
    expect(
      signs.filter((sign) => !(contrast(colourOf(values, `--app-${sign}`), surface) >= 3)),
    ).toEqual([]);
  },
);
