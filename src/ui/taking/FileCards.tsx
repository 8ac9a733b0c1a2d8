import { Stack, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { FileCard, type ShownAnswerFile } from './FileCard.tsx';

export interface FileCardsProps {
  files: readonly ShownAnswerFile[];
  locked: boolean;
  onMove: (id: string, to: number) => void;
  onRemove: (id: string) => void;
  /** The state, within the card of a single file. */
  stateOfOne: ReactNode;
}

/** The files of an answer in order. Buttons and dragging change the order. */
export function FileCards({ files, locked, onMove, onRemove, stateOfOne }: FileCardsProps) {
  const list = useRef<HTMLDivElement>(null);
  const moved = useRef<{ id: string; to: number; isUp: boolean } | null>(null);
  const dragged = useRef<string | null>(null);
  const [announced, setAnnounced] = useState('');
  // Leaves the focus on the pressed button, or moves it to the opposite one at the end of the list.
  useEffect(() => {
    const { id, to, isUp } = moved.current ?? {};
    if (id === undefined || to === undefined || files[to]?.id !== id) return;
    moved.current = null;
    for (const side of isUp ? ['up', 'down'] : ['down', 'up']) {
      const button = list.current?.querySelector<HTMLElement>(`[data-move="${id} ${side}"]`);
      if (button) return button.focus();
    }
  }, [files]);
  const total = files.length;
  const move = (file: ShownAnswerFile, from: number, to: number) => {
    moved.current = { id: file.id, to, isUp: to < from };
    setAnnounced(`${file.name}: ${to + 1} из ${total}`);
    onMove(file.id, to);
  };
  return (
    <>
      <Stack ref={list} component="ul" gap="sm">
        {files.map((file, index) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons do the same
          <li
            key={file.id}
            draggable={!locked && total > 1}
            onDragStart={() => {
              dragged.current = file.id;
            }}
            onDragOver={(event) => {
              if (dragged.current !== null) event.preventDefault();
            }}
            onDrop={(event) => {
              const from = files.findIndex(({ id }) => id === dragged.current);
              dragged.current = null;
              const source = files[from];
              if (!source) return;
              event.preventDefault();
              event.stopPropagation();
              if (from !== index) move(source, from, index);
            }}
            onDragEnd={() => {
              dragged.current = null;
            }}
          >
            <FileCard
              file={file}
              index={index}
              total={total}
              locked={locked}
              onMove={(to) => move(file, index, to)}
              onRemove={() => onRemove(file.id)}
            >
              {total === 1 && stateOfOne}
            </FileCard>
          </li>
        ))}
      </Stack>
      <VisuallyHidden aria-live="polite">{announced}</VisuallyHidden>
    </>
  );
}
