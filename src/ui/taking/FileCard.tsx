import { ActionIcon, Box, Group, Paper, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconFile, IconPhoto, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatSize } from '#domain/format.ts';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { Thumbnail } from '#app/ui/forms/Thumbnail.tsx';

export interface ShownAnswerFile {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
  mimeType: string;
  /** A blob URL of the picture itself, if its bytes are here. */
  previewUrl?: string | undefined;
  /** Within the card: «Фото уменьшено: 14 → 3,2 МБ». */
  remark?: string | undefined;
}

export const isPicture = (file: ShownAnswerFile): boolean => file.mimeType.startsWith('image/');

/** «Фото 2 из 4» */
const positionLabel = (file: ShownAnswerFile, index: number, total: number): string =>
  `${isPicture(file) ? 'Фото' : 'Файл'} ${index + 1} из ${total}`;

interface CardButtonProps {
  icon: IconType;
  label: string;
  /** Marks the buttons that move, to focus them after a move. */
  move?: string;
  onClick: () => void;
}

function CardButton({ icon, label, move, onClick }: CardButtonProps) {
  return (
    <ActionIcon w="2.75rem" h="2.75rem" aria-label={label} data-move={move} onClick={onClick}>
      <Icon of={icon} />
    </ActionIcon>
  );
}

export interface FileCardProps {
  file: ShownAnswerFile;
  index: number;
  total: number;
  locked: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
  /** The state of the answer. */
  children?: ReactNode;
}

/** One file of an answer, with its position among several. */
export function FileCard(props: FileCardProps) {
  const { file, index, total, locked, onMove, onRemove, children } = props;
  const isPhoto = isPicture(file);
  const isOne = total === 1;
  return (
    <Paper p="0.875rem" pb={6} bd="1px solid var(--app-control)">
      <Group gap="sm" align="flex-start" wrap="nowrap" mb="0.875rem">
        <Thumbnail h="4.5rem" fit="cover">
          {file.previewUrl ? (
            <img src={file.previewUrl} alt="" />
          ) : (
            <Icon of={isPhoto ? IconPhoto : IconFile} />
          )}
        </Thumbnail>
        <Box flex={1} miw={0} pt={2}>
          {!isOne && (
            <Text size="sm" fw={500}>
              {positionLabel(file, index, total)}
            </Text>
          )}
          <Text fw={500} lineClamp={2} className="break-anywhere">
            {file.name}
          </Text>
          <Text size="sm" c="dimmed">
            {formatSize(file.size)}
            {isPhoto && ', фото'}
          </Text>
          {file.remark && (
            <Text size="sm" c="dimmed" aria-live="polite">
              {file.remark}
            </Text>
          )}
        </Box>
        {!locked && isOne && (
          <CardButton icon={IconTrash} label="Удалить файл" onClick={onRemove} />
        )}
      </Group>
      {!locked && !isOne && (
        <Group gap="xs" justify="flex-end">
          {index > 0 && (
            <CardButton
              icon={IconArrowUp}
              label={`Выше: ${file.name}`}
              move={`${file.id} up`}
              onClick={() => onMove(index - 1)}
            />
          )}
          {index < total - 1 && (
            <CardButton
              icon={IconArrowDown}
              label={`Ниже: ${file.name}`}
              move={`${file.id} down`}
              onClick={() => onMove(index + 1)}
            />
          )}
          <CardButton icon={IconTrash} label={`Удалить файл ${file.name}`} onClick={onRemove} />
        </Group>
      )}
      {children}
    </Paper>
  );
}
