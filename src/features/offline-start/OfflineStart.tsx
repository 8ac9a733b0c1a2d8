import { IconCircleCheck, IconClock, IconPencilCheck } from '@tabler/icons-react';
import { Button, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Offer } from '#contract/offers.ts';
import type { TestDetails } from '#contract/tests.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useShownZone } from '#app/lib/device-services.ts';
import { useNow } from '#app/lib/use-now.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { BeginModal } from './BeginModal.tsx';
import { ReadinessPanel } from './ReadinessPanel.tsx';
import { useReadiness } from './use-readiness.ts';

export interface OfflineStartProps {
  test: Pick<TestDetails, 'id' | 'offlineStart' | 'gradedByHand' | 'endDate'>;
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

const timeOf = (end: string | null) => (end === null ? Infinity : Date.parse(end));

/** What is over by this device's clock: the test, or only the time that an older offer still gives it. */
function whatEnded(offer: Offer, endDate: string | null, now: number): 'test' | 'offer' | null {
  if (now >= timeOf(endDate)) return 'test';
  return now >= timeOf(offer.endsAt) ? 'offer' : null;
}

/** Stands for the begin of a test that is over, as far as is known here. */
function EndedNote({ end, now }: { end: string | null; now: number }) {
  const shownZone = useShownZone();
  return (
    <InlineNote icon={IconClock} role="status">
      {end !== null && now >= timeOf(end)
        ? `По часам этого устройства тест закрылся ${formatMoment(new Date(end), now, shownZone)}. Подключитесь к сети или проверьте часы.`
        : 'Преподаватель изменил время теста. Тест загрузится заново, когда будет сеть.'}
    </InlineNote>
  );
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
  const { recheck } = acts;
  const ended =
    device?.offer.kind === 'ready' ? whatEnded(device.offer.offer, test.endDate, now) : null;
  useEffect(() => {
    if (ended === 'offer') void recheck();
  }, [ended, recheck]);
  if (device === null) return null;
  const { offer } = device;
  const endedNote = ended === null ? null : <EndedNote end={test.endDate} now={now} />;
  return (
    <Stack gap="sm">
      {test.gradedByHand === true && (
        <InlineNote icon={IconPencilCheck}>
          Часть ответов в этом тесте проверяет преподаватель: баллы за них появятся позже.
        </InlineNote>
      )}
      {offer.kind === 'ready' && (
        <>
          {endedNote ?? (
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
            ended={endedNote}
            isReachable={!isUnreachable}
            opened={isOpen}
            onClose={() => setOpen(false)}
            onBegun={onBegun}
          />
        </>
      )}
      <ReadinessPanel device={device} isOver={ended !== null} {...acts} />
    </Stack>
  );
}
