import { ActionIcon, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { showJoinCode } from '#domain/join-codes.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { DialogWithEntry } from '#app/ui/overlays/Modal.tsx';
import { QrCode } from '#app/ui/data/QrCode.tsx';
import { siteName } from '#app/ui/site.ts';

export interface JoinCodeBoardProps {
  opened: boolean;
  onClose: () => void;
  name: string;
  code: string;
  address: string;
}

/** The join code in full screen, for a projector. */
export function JoinCodeBoard({ opened, onClose, name, code, address }: JoinCodeBoardProps) {
  const titleId = useId();
  if (!opened) return null;
  return (
    <DialogWithEntry size="full" labelledBy={titleId} onClose={onClose}>
      <Stack
        pos="relative"
        align="center"
        justify="center"
        gap="min(4vh, 2rem)"
        mih="100%"
        px="md"
        pt="3.5rem"
        pb="lg"
        ta="center"
      >
        <ActionIcon
          pos="absolute"
          top={8}
          right={8}
          aria-label="Закрыть"
          data-autofocus
          onClick={onClose}
        >
          <Icon of={IconX} size={24} />
        </ActionIcon>
        <Title
          order={2}
          id={titleId}
          maw="100%"
          fz="clamp(1.5rem, 6vmin, 3.5rem)"
          className="break-anywhere"
        >
          Вступите в класс {name}
        </Title>
        <QrCode
          w="min(50vh, 80vw)"
          h="min(50vh, 80vw)"
          bdrs="md"
          text={address}
          label={`QR-код ссылки ${address}`}
        />
        <Stack
          gap="min(2vh, 1rem)"
          fz="clamp(1rem, 3vmin, 2rem)"
          lh={1.3}
          className="break-anywhere"
        >
          <p>
            Наведите камеру телефона или откройте <b>{siteName()}/join</b> и введите код
          </p>
          <Text
            fz="clamp(2rem, 11vmin, 8rem)"
            fw={600}
            lh={1.1}
            lts="0.04em"
            className="nowrap tabular"
          >
            {showJoinCode(code)}
          </Text>
        </Stack>
      </Stack>
    </DialogWithEntry>
  );
}
