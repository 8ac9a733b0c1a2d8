import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './AuthLayout.module.css';
import { cx } from '#app/ui/cx.ts';
import { Logo } from './Logo.tsx';

export interface AuthLayoutProps {
  /** «Вход», «Регистрация». */
  title: string;
  children: ReactNode;
  /** A neutral note at the bottom, such as unsent answers on this device. */
  note?: ReactNode;
}

/** Sign-in and registration: squared paper with the logo and the heading, the form below. */
export function AuthLayout({ title, children, note }: AuthLayoutProps) {
  return (
    <div className={classes.page}>
      <Stack component="main" className={cx('card-from-tablet', classes.card)} gap={0}>
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
    </div>
  );
}
