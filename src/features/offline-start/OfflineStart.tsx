import { IconCircleCheck, IconCloudOff } from '@tabler/icons-react';
import { Button, Stack } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { TestDetails } from '#contract/tests.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import { readOfferState, type OfferState } from '#app/offers/offer-state.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { BeginModal } from './BeginModal.tsx';
import { problemMessage } from './messages.ts';
import { useOffers } from './use-offers.ts';

export interface OfflineStartProps {
  test: Pick<TestDetails, 'id' | 'offlineStart'>;
  owner: string;
  /** The attempt has begun here. */
  onBegun: () => void;
}

const readReachability = (outbox: Outbox) => Promise.resolve(outbox.reachability());

/** Whether the last call found no server. */
function useUnreachable(): boolean {
  const reachability = useOutboxValue(readReachability, 'unknown');
  return !navigator.onLine || reachability === 'offline' || reachability === 'silent';
}

function useOfferState(test: OfflineStartProps['test'], owner: string): OfferState | null {
  const { storage } = useDevice();
  const [state, setState] = useState<OfferState | null>(null);
  const [tests] = useState([test]);
  const read = useCallback(() => {
    readOfferState(owner, test.id, storage).then(setState, (cause: unknown) => {
      logProblem('Тест для начала без сети не прочитать', { cause });
      setState({ kind: 'noStorage' });
    });
  }, [owner, test.id, storage]);
  useEffect(read, [read]);
  useOffers(owner, tests, read);
  return state;
}

/** Whether the test can begin here without a network: if not, why; without a network, the button. */
export function OfflineStart({ test, owner, onBegun }: OfflineStartProps) {
  const state = useOfferState(test, owner);
  const isUnreachable = useUnreachable();
  const [isOpen, setOpen] = useState(false);
  if (state === null) return null;
  if (state.kind !== 'ready') {
    return (
      <InlineNote icon={IconCloudOff} tone="warn" role="status">
        {problemMessage(state.kind)}
      </InlineNote>
    );
  }
  return (
    <Stack gap="sm">
      <InlineNote icon={IconCircleCheck} tone="ok" role="status">
        Тест готов к началу без сети.{' '}
        {isUnreachable
          ? 'Введите код, который показывает преподаватель.'
          : 'Если в классе её не будет, начните по коду, который покажет преподаватель.'}
      </InlineNote>
      {isUnreachable && <Button onClick={() => setOpen(true)}>Начать без сети</Button>}
      <BeginModal
        owner={owner}
        offer={state.offer}
        opened={isOpen}
        onClose={() => setOpen(false)}
        onBegun={onBegun}
      />
    </Stack>
  );
}
