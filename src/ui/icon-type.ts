import type { ComponentType } from 'react';

/** Any icon of the set: a component that draws itself at a size with a stroke. */
export type IconType = ComponentType<{
  size?: number | string;
  stroke?: number | string;
  'aria-hidden'?: boolean;
}>;
