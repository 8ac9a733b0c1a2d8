import { Fragment, jsx as create, jsxs as createWithList } from 'react/jsx-runtime';
import type { ElementType, Key, ReactElement } from 'react';
import { separateText, type ElementProps } from './separate-text.ts';

export { Fragment };
export type { JSX } from 'react/jsx-runtime';

const wrap = (text: string) => create('span', { children: text });

/** Creates an element with at most one child; compiled JSX calls it. */
export const jsx = (type: ElementType, props: ElementProps, key?: Key): ReactElement =>
  create(type, separateText(type, props, wrap), key);

/** Creates an element with several children; compiled JSX calls it. */
export function jsxs(type: ElementType, props: ElementProps, key?: Key): ReactElement {
  const separated = separateText(type, props, wrap);
  return Array.isArray(separated.children)
    ? createWithList(type, separated, key)
    : create(type, separated, key);
}
