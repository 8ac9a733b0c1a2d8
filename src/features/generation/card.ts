import classes from './generate.module.css';

/** The surface of one step, for Mantine's `Paper`. */
export const CARD = {
  miw: 0,
  p: { base: 'md', md: '1rem 1.25rem 1.25rem' },
  className: classes.card ?? '',
} as const;
