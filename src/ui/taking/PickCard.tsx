import { Box, Button, Group, Loader, Paper, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatSize } from '#domain/format.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';

/** A picked file that is not part of the answer yet. */
export interface ShownPick {
  pickId: number;
  name: string;
  /** Bytes. */
  size: number;
  /** Why it cannot be handed in; null: the app is reading it. */
  problem: string | null;
  /** The device is writing it already: too late to cancel. */
  isStoring: boolean;
}

export interface PickCardProps {
  pick: ShownPick;
  locked: boolean;
  /** Cancels the reading, or dismisses the problem. */
  onCancel: () => void;
  /** Opens the file picker. */
  onPickAgain: () => void;
}

/** A picked file while the system delivers it, or why it could not be read. */
export function PickCard({ pick, locked, onCancel, onPickAgain }: PickCardProps) {
  const { name, size, problem, isStoring } = pick;
  const isReading = problem === null;
  return (
    <Paper p="0.875rem" bd="1px dashed var(--app-control)" data-pick={pick.pickId}>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <Box pt={2}>{isReading ? <Loader size={20} /> : <Icon of={IconAlertTriangle} />}</Box>
        <Box flex={1} miw={0}>
          <Text fw={500} lineClamp={2} className="break-anywhere">
            {name}
          </Text>
          {isReading ? (
            <Text size="sm" c="dimmed" aria-live="polite">
              {`Читаем файл… ${formatSize(size)}`}
            </Text>
          ) : (
            <div role="alert">
              <FieldError>{problem}</FieldError>
            </div>
          )}
        </Box>
      </Group>
      {!isStoring && (
        <Group gap="xs" mt="sm">
          {!isReading && !locked && (
            <Button variant="default" size="sm" mih={44} onClick={onPickAgain}>
              Выбрать ещё раз
            </Button>
          )}
          {(isReading || !locked) && (
            <Button
              variant="subtle"
              size="sm"
              mih={44}
              aria-label={isReading ? `Отменить чтение файла ${name}` : `Убрать ${name}`}
              onClick={onCancel}
            >
              {isReading ? 'Отменить' : 'Убрать'}
            </Button>
          )}
        </Group>
      )}
    </Paper>
  );
}
