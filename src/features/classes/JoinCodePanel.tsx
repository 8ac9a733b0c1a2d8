import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconCopy,
  IconKeyOff,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setJoinCode } from '#contract/groups.ts';
import { showJoinCode } from '#domain/join-codes.ts';
import { call } from '#app/api/call.ts';
import { useCopied } from '#app/lib/use-copied.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { QrCode } from '#app/ui/data/QrCode.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { siteName, siteAddress } from '#app/ui/site.ts';
import { JoinCodeBoard } from './JoinCodeBoard.tsx';
import classes from './JoinCode.module.css';
import { problemMessage } from './messages.ts';
import { renewGroups } from './queries.ts';

/** URL for joining by a code. */
const joinAddress = (code: string): string => `${siteAddress()}/join/${code}`;

interface CodeProps {
  groupId: string;
  name: string;
  code: string;
  turn: (enabled: boolean) => void;
}

const QUESTIONS = {
  renew: {
    title: 'Сделать новый код?',
    text: 'Нынешний код и ссылка перестанут действовать. Кто уже в классе, в нём останется.',
    confirm: 'Новый код',
    cancel: 'Оставить этот',
    enabled: true,
  },
  stop: {
    title: 'Выключить вступление по коду?',
    text: 'По этому коду в класс больше никто не вступит. Кто уже в классе, в нём останется. Потом можно включить: код будет новый.',
    confirm: 'Выключить',
    cancel: 'Не выключать',
    enabled: false,
  },
} as const;

function CopyLink({ address }: { address: string }) {
  const { state, copy } = useCopied(address);
  return (
    <>
      <QuietButton icon={IconCopy} onClick={copy}>
        Копировать
      </QuietButton>
      <Text component="output" fz="sm" c="dimmed" flex="1 1 100%" className="break-anywhere">
        {state === 'copied' && 'Ссылка скопирована'}
        {state === 'failed' && `Скопировать не вышло, выделите ссылку сами: ${address}`}
      </Text>
    </>
  );
}

function OpenCode({ name, code, turn }: CodeProps) {
  const [confirmed, setConfirmed] = useState<keyof typeof QUESTIONS | null>(null);
  const [isShown, setShown] = useState(false);
  const address = joinAddress(code);
  const question = confirmed && QUESTIONS[confirmed];
  return (
    <>
      <Group gap="sm" justify="space-between">
        <Box miw={0}>
          <Text fz="min(1.75rem, 11vw)" lh={1.2} fw={600} lts="0.02em" className="nowrap tabular">
            {showJoinCode(code)}
          </Text>
          <Text size="sm" c="dimmed" mt={4} className="break-anywhere">
            {siteName()}/join
          </Text>
        </Box>
        <QrCode w="6.5rem" h="6.5rem" bdrs="xs" text={address} label={`QR-код ссылки ${address}`} />
      </Group>
      <Group className={classes.buttons} align="stretch" gap="0 0.75rem">
        <QuietButton icon={IconArrowsMaximize} onClick={() => setShown(true)}>
          На весь экран
        </QuietButton>
        <QuietButton icon={IconRefresh} onClick={() => setConfirmed('renew')}>
          Новый код
        </QuietButton>
        <QuietButton icon={IconKeyOff} onClick={() => setConfirmed('stop')}>
          Выключить
        </QuietButton>
        <CopyLink address={address} />
      </Group>
      <ConfirmModal
        opened={question !== null}
        title={question?.title ?? ''}
        confirm={question?.confirm ?? ''}
        cancel={question?.cancel ?? ''}
        onClose={() => setConfirmed(null)}
        onConfirm={() => {
          setConfirmed(null);
          if (question) turn(question.enabled);
        }}
      >
        <p>{question?.text}</p>
      </ConfirmModal>
      <JoinCodeBoard
        opened={isShown}
        onClose={() => setShown(false)}
        name={name}
        code={code}
        address={address}
      />
    </>
  );
}

/** The join code as text and QR code, with full screen, renewal and switch-off. */
export function JoinCodePanel({
  groupId,
  name,
  joinCode,
  onSpoken,
}: {
  groupId: string;
  name: string;
  joinCode: string | null;
  /** Announces a change to screen readers. */
  onSpoken: (words: string) => void;
}) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (enabled: boolean) => call(setJoinCode, { params: { groupId }, body: { enabled } }),
    onSuccess: ({ joinCode: code }) =>
      onSpoken(
        code === null
          ? 'Вступление по коду выключено'
          : `Новый код для вступления: ${showJoinCode(code)}`,
      ),
    onSettled: () => renewGroups(client),
  });
  const problem = problemMessage(change.error);
  return (
    <Paper component="section" p="md" aria-label="Вступление по коду">
      <Stack gap="sm">
        <Title order={2} fz={17}>
          Код для вступления
        </Title>
        {joinCode === null ? (
          <>
            <Text fz={15} c="dimmed">
              Вступление по коду выключено: учеников добавляете только вы.
            </Text>
            <Button
              variant="default"
              className="self-start"
              leftSection={<Icon of={IconPlayerPlay} />}
              loading={change.isPending}
              onClick={() => change.mutate(true)}
            >
              Включить
            </Button>
          </>
        ) : (
          <OpenCode
            groupId={groupId}
            name={name}
            code={joinCode}
            turn={(enabled) => change.mutate(enabled)}
          />
        )}
        <Box role="alert" display={problem === null ? 'none' : undefined}>
          {problem !== null && <FieldError>{problem}</FieldError>}
        </Box>
      </Stack>
    </Paper>
  );
}
