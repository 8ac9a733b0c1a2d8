import { useRef, useState, type ComponentProps, type DragEvent } from 'react';

export interface FileInputProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'value' | 'onChange'
> {
  /** Receives at least one file, and several only with `multiple`. */
  onFiles: (files: [File, ...File[]]) => void;
}

const isSome = (files: File[]): files is [File, ...File[]] => files.length > 0;

/** The system's file picker. The same file can be picked again, for example after it was corrected. */
export function FileInput({ onFiles, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      onChange={(event) => {
        const files = [...(event.currentTarget.files ?? [])];
        event.currentTarget.value = '';
        if (isSome(files)) onFiles(files);
      }}
    />
  );
}

/** A place to drop files: the props of its element, and whether files are above it. */
export function useFileDrop(onFiles: FileInputProps['onFiles'], isLocked = false) {
  const [isOver, setOver] = useState(false);
  // Enter and leave events also come from children, while the pointer stays within the place.
  const depth = useRef(0);
  const move = (step: 1 | 0 | -1) => (event: DragEvent) => {
    if (isLocked || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  };
  const onDrop = (event: DragEvent) => {
    depth.current = 0;
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (isLocked || !isSome(files)) return;
    event.preventDefault();
    onFiles(files);
  };
  return {
    isOver,
    place: { onDragEnter: move(1), onDragOver: move(0), onDragLeave: move(-1), onDrop },
  };
}
