import { ActionIcon, Button, Flex, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { messageLanguage } from '#app/ui/message-language.ts';
import { Icon } from '#app/ui/Icon.tsx';

function RequestNumber({ value }: { value: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const icon = copied ? IconCheck : IconCopy;
  return (
    <Flex component="p" wrap="wrap" align="center" gap={4} fz="xs" c="dimmed">
      Номер запроса:{' '}
      <Text
        component="code"
        inherit
        ff="monospace"
        className="break-anywhere"
        style={{ userSelect: 'all' }}
      >
        {value}
      </Text>
      <ActionIcon my="-0.75rem" onClick={copy} aria-label="Скопировать номер запроса">
        <Icon of={icon} size={16} />
      </ActionIcon>
      <Text component="output" inherit c="var(--app-ok-text)">
        {copied ? 'скопировано' : ''}
      </Text>
    </Flex>
  );
}

export interface ErrorPanelProps {
  heading?: string;
  /** What happened, what is safe and what to do. */
  message: ReactNode;
  onRetry?: (() => void) | undefined;
  requestId?: string | undefined;
  /** Further text or links under the message. */
  children?: ReactNode;
}

/** The generic error: «Ошибка», the message, «Повторить». At most 400 px wide. */
export function ErrorPanel({
  heading = 'Ошибка',
  message,
  onRetry,
  requestId,
  children,
}: ErrorPanelProps) {
  return (
    <Stack
      component="section"
      w="100%"
      maw={400}
      my="xl"
      mx="auto"
      p={20}
      bd="1px solid var(--app-line)"
      bdrs="lg"
      bg="var(--app-surface)"
      gap="sm"
      role="alert"
    >
      <Text span inherit lh={0} c="var(--app-bad-text)">
        <Icon of={IconAlertCircle} size={30} />
      </Text>
      <h2>{heading}</h2>
      <Text textWrap="pretty" lang={messageLanguage(message)}>
        {message}
      </Text>
      {children}
      {onRetry && (
        <Button fullWidth leftSection={<Icon of={IconRefresh} />} onClick={onRetry}>
          Повторить
        </Button>
      )}
      {requestId && <RequestNumber value={requestId} />}
    </Stack>
  );
}
