import { useCallback } from 'react';
import type { TestListItem } from '#contract/tests.ts';
import { formatDuration } from '#domain/duration.ts';
import { ascending } from '#domain/test-order.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import type { AttemptRow } from '#app/storage/rows.ts';
import { currentStatus } from './start-terms.ts';

/** An attempt as stored on this device, possibly newer than the server's state. */
export type AttemptOnDevice = Pick<AttemptRow, 'attemptId' | 'testId' | 'state' | 'deadline'>;

const NONE: readonly AttemptOnDevice[] = [];

/** The person's attempts on this device that are not known to be finished on the server. */
export function useLocalAttempts(owner: string): readonly AttemptOnDevice[] {
  const { storage } = useDevice();
  const read = useCallback(async () => {
    const attempts = await storage.read(['attempts'], (tx) => tx.all('attempts', 'owner', owner));
    return attempts.filter(
      ({ state, gone, takenOver }) => state !== 'finished' && !gone && !takenOver,
    );
  }, [storage, owner]);
  return useOutboxValue<readonly AttemptOnDevice[]>(read, NONE);
}

/** A row of the server's list overlaid with the state on this device. */
export type ListedTest<Item extends TestListItem = TestListItem> = Item & {
  /** The attempt runs on this device. */
  isHere: boolean;
  /** Its finish is still unsent. */
  isQueued: boolean;
};

/** Overlays local attempts, since the server's list may be older than the device's state. */
export function overlayLocalAttempts<Item extends TestListItem>(
  items: readonly Item[],
  localAttempts: readonly AttemptOnDevice[],
  now: number,
): ListedTest<Item>[] {
  return items.map((item): ListedTest<Item> => {
    const localAttempt = localAttempts.find(({ testId }) => testId === item.id);
    if (!localAttempt)
      return { ...item, status: currentStatus(item, now), isHere: false, isQueued: false };
    if (localAttempt.state === 'finishing' || localAttempt.deadline <= now) {
      return { ...item, running: null, isHere: false, isQueued: true };
    }
    return {
      ...item,
      status: 'inProgress',
      running: {
        userTestId: localAttempt.attemptId,
        deadline: new Date(localAttempt.deadline).toISOString(),
        leftTestTime: formatDuration(localAttempt.deadline - now),
      },
      isHere: true,
      isQueued: false,
    };
  });
}

/** Running tests first, by deadline; the others in server order. */
export function runningFirst<Item extends Pick<TestListItem, 'running'>>(
  items: readonly Item[],
): Item[] {
  const endOf = ({ running }: Item) => (running ? Date.parse(running.deadline) : Infinity);
  return [...items].sort((a, b) => ascending(endOf(a), endOf(b)));
}
