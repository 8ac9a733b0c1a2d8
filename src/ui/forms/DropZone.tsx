import { Stack, Text } from '@mantine/core';
import classes from './DropFile.module.css';
import { useFileDrop } from './FileInput.tsx';
import { PickButton, type PickButtonProps } from './PickButton.tsx';

interface DropZoneProps extends Required<Pick<PickButtonProps, 'label' | 'icon' | 'accept'>> {
  describedBy: string;
  onFile: (file: File) => void;
}

/** For a picked or dropped file that is read at once. `DropFile` is a field that holds its file. */
export function DropZone({ onFile, ...button }: DropZoneProps) {
  const onFiles = ([file]: [File, ...File[]]) => onFile(file);
  const { isOver, place } = useFileDrop(onFiles);
  return (
    <Stack
      className={classes.zone}
      bdrs="lg"
      align="center"
      gap="sm"
      px="md"
      py="xl"
      ta="center"
      data-over={isOver || undefined}
      {...place}
    >
      <PickButton {...button} autoFocused onFiles={onFiles}>
        Выбрать файл
      </PickButton>
      <Text span size="sm" c="dimmed">
        или перетащите его сюда
      </Text>
    </Stack>
  );
}
