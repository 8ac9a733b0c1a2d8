import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from './Logo.tsx';

export interface AuthLayoutProps {
  /** «Вход», «Регистрация». */
  title: string;
  children: ReactNode;
  /** A neutral note at the bottom, such as unsent answers on this device. */
  note?: ReactNode;
}

const PAGE = {
  mih: '100dvh',
  display: { sm: 'grid' },
  p: { sm: '2rem' },
  bg: { base: 'var(--app-surface)', sm: 'var(--app-body)' },
  style: { placeItems: 'center' },
} as const;

const CARD = {
  w: { sm: 440 },
  mih: { base: '100dvh', sm: 0 },
  pb: { base: 'calc(1rem + var(--app-safe-bottom))', sm: '1.5rem' },
} as const;

/** Sign-in and registration: squared paper with the logo and the heading, the form below. */
export function AuthLayout({ title, children, note }: AuthLayoutProps) {
  return (
    <Box {...PAGE}>
      <Stack component="main" className="card-from-tablet" gap={0} {...CARD}>
        <Box className="squared line-below" p="2.5rem var(--app-side) 2.25rem">
          <Logo size={38} />
          <Box component="h1" mt="lg" fz="1.625rem">
            {title}
          </Box>
        </Box>
        <Box px="var(--app-side)" py="lg">
          {children}
        </Box>
        {note && (
          <Box mt="auto" px="var(--app-side)">
            {note}
          </Box>
        )}
      </Stack>
    </Box>
  );
}
