import { Box, Flex, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';

const LOOKS = {
  quiet: { bg: 'var(--app-quiet-soft)' },
  ink: { bg: 'var(--app-ink-soft)' },
  warn: { bg: 'var(--app-warn-soft)', c: 'var(--app-warn-text)' },
  bad: { bg: 'var(--app-bad-soft)', c: 'var(--app-bad-text)' },
  ok: { px: 0, c: 'var(--app-ok-text)' },
  line: { bd: '1px solid var(--app-line)', bdrs: 'lg' },
  plain: { px: 0 },
} as const;

export interface InlineNoteProps {
  /** Grey by default; `line` has only a border, `plain` has neither. */
  tone?: keyof typeof LOOKS;
  icon?: IconType;
  children: ReactNode;
  /** An action under the text. */
  action?: ReactNode;
  /** `status` for a note that appears while the page is open. */
  role?: 'status' | 'note';
}

/** A note in the flow of the page: icon and one or two sentences. */
export function InlineNote({
  tone = 'quiet',
  icon = IconInfoCircle,
  children,
  action,
  role = 'note',
}: InlineNoteProps) {
  return (
    <Flex
      gap="sm"
      px={14}
      py="sm"
      bd="1px solid transparent"
      bdrs="md"
      {...LOOKS[tone]}
      role={role}
    >
      <Icon of={icon} />
      <Text component="div" size="sm" textWrap="pretty" flex={1} miw={0}>
        {children}
        {action && <Box mt="xs">{action}</Box>}
      </Text>
    </Flex>
  );
}
