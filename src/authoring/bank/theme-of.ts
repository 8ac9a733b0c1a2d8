import { Theme } from '#contract/themes.ts';

/** A subject's key as the wire takes it; what is none is no subject. */
export const themeOf = (key: string): Theme | '' => Theme.options.find((one) => one === key) ?? '';
