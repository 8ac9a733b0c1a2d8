import { Button, Stack, Text } from '@mantine/core';
import { useRef, useState, type DragEvent } from 'react';
import classes from './DropZone.module.css';
import { Icon, type IconType } from '#app/ui/Icon.tsx';

export interface DropZoneProps {
  /** Of the file that is asked for: «Файл CSV». */
  label: string;
  /** A verb on the button: «Выбрать файл». */
  pick: string;
  icon: IconType;
  /** As a file input takes it. What comes is judged by what is in it. */
  accept: string;
  /** Id of what is said about the file. */
  describedBy?: string | undefined;
  onFile: (file: File) => void;
}

/** Takes a picked or dropped file that is read at once; `DropFile` is a field that keeps its file. */
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
          // The same file may be picked once more after it was mended.
          event.currentTarget.value = '';
          take(file);
        }}
      />
    </Stack>
  );
}
