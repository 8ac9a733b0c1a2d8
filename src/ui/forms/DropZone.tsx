import { Button, Stack, Text } from '@mantine/core';
import { useRef, useState, type DragEvent } from 'react';
import classes from './DropZone.module.css';
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
  const [isOver, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    <Stack
      className={classes.zone}
      align="center"
      gap="sm"
      px="md"
      py="xl"
      ta="center"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
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
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Lets a person pick the same file again after fixing it.
          event.currentTarget.value = '';
          take(file);
        }}
      />
    </Stack>
  );
}
