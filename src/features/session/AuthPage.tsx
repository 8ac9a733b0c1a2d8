import { Box, Text } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AuthLayout } from '#app/ui/layout/AuthLayout.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';

export interface AuthPageProps {
  title: string;
  /** «Нет учётной записи?» with the link to the other screen. */
  other: ReactNode;
  /** Content above the form: a running test of this device. */
  above?: ReactNode;
  /** Whether unsent answers of any person are on this device. */
  hasUnsent: boolean;
  children: ReactNode;
}

/** Layout of the sign-in and registration pages. */
export function AuthPage({ title, other, above, hasUnsent, children }: AuthPageProps) {
  usePageTitle(title);
  return (
    <AuthLayout
      title={title}
      note={
        hasUnsent && (
          <InlineNote icon={IconDeviceMobile}>
            На этом устройстве есть неотправленные ответы. Они уйдут, когда войдёт тот, кто их дал.
          </InlineNote>
        )
      }
    >
      <Box className="unless-empty" mb="lg">
        {above}
      </Box>
      {children}
      <Text mt="lg" fz="0.9375rem" ta="center" c="dimmed">
        {other}
      </Text>
    </AuthLayout>
  );
}
