/** A page after the test, for Mantine's `Box`. Its buttons stand below the text. */
export const PAGE = {
  mih: '100dvh',
  pb: 'calc(88px + var(--app-safe-bottom))',
  bg: 'var(--app-surface)',
} as const;

/** The column of its text. */
export const COLUMN = { maw: 680, mx: 'auto' } as const;
