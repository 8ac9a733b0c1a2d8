import { Box, Paper, Stack, Text } from '@mantine/core';
import { messageLanguage } from '#app/ui/message-language.ts';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  heading: string;
  /** One sentence. */
  children: ReactNode;
  action?: ReactNode;
}

/** Shown when there is nothing yet, on squared paper: one heading, one sentence, one action. */
export function EmptyState({ heading, children, action }: EmptyStateProps) {
  return (
    <Paper component="section" style={{ overflow: 'hidden' }}>
      <Box className="squared line-below" p="1.25rem" pt="3rem">
        <Box component="h2" maw="30rem" lang={messageLanguage(heading)}>
          {heading}
        </Box>
      </Box>
      <Stack className="with-links" align="flex-start" p="1.25rem" c="dimmed">
        <Text inherit maw="40rem" textWrap="pretty">
          {children}
        </Text>
        {action}
      </Stack>
    </Paper>
  );
}
