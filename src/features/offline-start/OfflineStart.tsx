import { IconCircleCheck, IconPencilCheck } from '@tabler/icons-react';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { TestDetails } from '#contract/tests.ts';
import { useNow } from '#app/lib/use-now.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { BeginModal, EndedNote, hasEnded } from './BeginModal.tsx';
import { ReadinessPanel } from './ReadinessPanel.tsx';
import { useReadiness } from './use-readiness.ts';

export interface OfflineStartProps {
  test: Pick<TestDetails, 'id' | 'offlineStart' | 'gradedByHand'>;
  owner: string;
  /** The attempt has begun here. */
  onBegun: () => void;
}

const EVERY_MS = 15_000;

const readReachability = (outbox: Outbox) => Promise.resolve(outbox.reachability());

/** Whether the last call found no server. */
function useUnreachable(): boolean {
  const reachability = useOutboxValue(readReachability, 'unknown');
  return !navigator.onLine || reachability === 'offline' || reachability === 'silent';
}

/**
 * Whether this device is ready for the test, and if not, why; with the button that begins it. A dead network may look alive
 * until a call fails, so the button is always there.
 */
export function OfflineStart({ test, owner, onBegun }: OfflineStartProps) {
  const { device, ...acts } = useReadiness(test, owner);
  const isUnreachable = useUnreachable();
  const [isOpen, setOpen] = useState(false);
  const now = useNow(EVERY_MS);
  if (device === null) return null;
  const { offer } = device;
  const isOver = offer.kind === 'ready' && hasEnded(offer.offer, now);
  return (
    <Stack gap="sm">
      {test.gradedByHand === true && (
        <InlineNote icon={IconPencilCheck}>
          Часть ответов в этом тесте проверяет преподаватель: баллы за них появятся позже.
        </InlineNote>
      )}
      {offer.kind === 'ready' && (
        <>
          {isOver ? (
            <EndedNote offer={offer.offer} now={now} />
          ) : (
            <>
              <InlineNote icon={IconCircleCheck} tone="ok" role="status">
                Тест загружен, его можно начать и без сети.{' '}
                {isUnreachable
                  ? 'Введите код, который показывает преподаватель.'
                  : 'Если в классе её не будет, начните по коду, который покажет преподаватель.'}
              </InlineNote>
              <Button variant={isUnreachable ? 'filled' : 'default'} onClick={() => setOpen(true)}>
                Начать без сети
              </Button>
            </>
          )}
          <BeginModal
            owner={owner}
            offer={offer.offer}
            isReachable={!isUnreachable}
            opened={isOpen}
            onClose={() => setOpen(false)}
            onBegun={onBegun}
          />
        </>
      )}
      {!isOver && <ReadinessPanel device={device} {...acts} />}
    </Stack>
  );
}
