import { Theme } from '#contract/themes.ts';

/** A valid subject key for the API, or none. */
export const themeOf = (key: string): Theme | '' => Theme.options.find((one) => one === key) ?? '';
