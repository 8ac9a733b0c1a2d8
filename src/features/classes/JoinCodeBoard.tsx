import { Stack, Text } from '@mantine/core';
import { showJoinCode } from '#domain/join-codes.ts';
import { FullScreenBoard } from '#app/ui/overlays/FullScreenBoard.tsx';
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
  if (!opened) return null;
  return (
    <FullScreenBoard heading={`Вступите в класс ${name}`} onClose={onClose}>
      <QrCode
        w="min(50vh, 80vw)"
        h="min(50vh, 80vw)"
        bdrs="md"
        text={address}
        label={`QR-код ссылки ${address}`}
      />
      <Stack gap="min(2vh, 1rem)" fz="clamp(1rem, 3vmin, 2rem)" lh={1.3} className="break-anywhere">
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
    </FullScreenBoard>
  );
}
