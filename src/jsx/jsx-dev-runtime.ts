import { Fragment, jsxDEV as create, type JSXSource } from 'react/jsx-dev-runtime';
import type { ElementType, Key, ReactElement } from 'react';
import { separateText, type ElementProps } from './separate-text.ts';

export { Fragment };
export type { JSX } from 'react/jsx-dev-runtime';

const wrap = (text: string) => create('span', { children: text }, undefined, false);

/** Creates an element; JSX that is compiled for development calls it. */
export function jsxDEV(
  type: ElementType,
  props: ElementProps,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement {
  const separated = separateText(type, props, wrap);
  const hasList = isStatic && Array.isArray(separated.children);
  return create(type, separated, key, hasList, source, self);
}
