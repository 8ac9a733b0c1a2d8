import { Button } from '@mantine/core';
import { IconClockPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Board } from '#contract/board.ts';
import { Announcer } from '#app/ui/Announcer.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { giveBackMessage, lostTimeMessage } from './messages.ts';
import { lostTimeQuery } from './queries.ts';
import { lostRows, withMinutes } from './rules.ts';

const GiveBackModal = lazyPart(
  () => import('./GiveBackModal.tsx'),
  (module) => module.GiveBackModal,
);

/** Who lost time, and the way to give it back; nothing while nobody did. */
export function LostTimeNote({
  board,
  now,
  onGiven,
}: {
  board: Board;
  now: number;
  onGiven: () => void;
}) {
  const { data } = useQuery(lostTimeQuery(board.testId));
  const [isOpen, setOpen] = useState(false);
  const rows = lostRows(board.rows, data?.items ?? []);
  const lost = withMinutes(rows, false);
  const message = lostTimeMessage(lost, rows);
  return (
    <>
      <Announcer words={message} />
      {message !== '' && (
        <InlineNote
          tone={lost.length > 0 ? 'warn' : 'quiet'}
          icon={IconClockPlus}
          action={
            <Button size="sm" variant="default" onClick={() => setOpen(true)}>
              {lost.length > 0 ? `Вернуть ${giveBackMessage(lost, false)}…` : 'Вернуть минуты…'}
            </Button>
          }
        >
          {message}.
        </InlineNote>
      )}
      {isOpen && (
        <GiveBackModal
          board={board}
          rows={rows}
          now={now}
          onClose={() => {
            setOpen(false);
            onGiven();
          }}
        />
      )}
    </>
  );
}
