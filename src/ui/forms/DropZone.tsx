import { Button, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import classes from './DropFile.module.css';
import { FileInput, useFileDrop } from './FileInput.tsx';
import { Icon, type IconType } from '#app/ui/Icon.tsx';

export interface DropZoneProps {
  /** Of the required file: «Файл CSV». */
  label: string;
  /** A verb on the button: «Выбрать файл». */
  pick: string;
  icon: IconType;
  /** The `accept` of the file input. The file's content decides what it is. */
  accept: string;
  /** Id of the text about the file. */
  describedBy?: string | undefined;
  onFile: (file: File) => void;
}

/** For a picked or dropped file that is read at once. `DropFile` is a field that holds its file. */
export function DropZone({ label, pick, icon, accept, describedBy, onFile }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = ([file]: [File, ...File[]]) => onFile(file);
  const { isOver, place } = useFileDrop(take);
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
      <Button
        data-autofocus
        leftSection={<Icon of={icon} />}
        aria-describedby={describedBy}
        onClick={() => input.current?.click()}
      >
        {pick}
      </Button>
      <Text span size="sm" c="dimmed">
        или перетащите его сюда
      </Text>
      <FileInput ref={input} hidden accept={accept} aria-label={label} onFiles={take} />
    </Stack>
  );
}
