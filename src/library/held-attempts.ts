import { useCallback } from 'react';
import type { TestListItem } from '#contract/tests.ts';
import { formatDuration } from '#domain/duration.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { useOutboxValue } from '#app/offline/use-outbox-value.ts';
import type { AttemptRow } from '#app/storage/rows.ts';

/** What this device knows of an attempt before the server does. */
export type Held = Pick<AttemptRow, 'attemptId' | 'testId' | 'state' | 'deadline'>;

const NONE: readonly Held[] = [];

/** Attempts of a person on this device that are not over on the server, as far as it knows. */
export function useHeldAttempts(owner: string): readonly Held[] {
  const { storage } = useDevice();
  const read = useCallback(async () => {
    const attempts = await storage.read(['attempts'], (tx) => tx.all('attempts', 'owner', owner));
    return attempts.filter(
      ({ state, gone, takenOver }) => state !== 'finished' && !gone && !takenOver,
    );
  }, [storage, owner]);
  return useOutboxValue<readonly Held[]>(read, NONE);
}

/** A row of the list: what the server said, overlaid with what this device knows. */
export type Listed<Item extends TestListItem = TestListItem> = Item & {
  /** It runs on this device, not on another one. */
  isHere: boolean;
  /** Its finish still lies on this device. */
  isQueued: boolean;
};

/** The server's list may be older than the device: a running or finished attempt here comes first. */
export function overlayHeld<Item extends TestListItem>(
  items: readonly Item[],
  held: readonly Held[],
  now: number,
): Listed<Item>[] {
  return items.map((item): Listed<Item> => {
    const here = held.find(({ testId }) => testId === item.id);
    if (!here) return { ...item, isHere: false, isQueued: false };
    if (here.state === 'finishing' || here.deadline <= now) {
      return { ...item, running: null, isHere: false, isQueued: true };
    }
    return {
      ...item,
      status: 'inProgress',
      running: {
        userTestId: here.attemptId,
        deadline: new Date(here.deadline).toISOString(),
        leftTestTime: formatDuration(here.deadline - now),
      },
      isHere: true,
      isQueued: false,
    };
  });
}
