import { useEffect, useState, useSyncExternalStore } from 'react';
import { getBoard, watchBoard } from '#contract/board.ts';
import { call } from '#app/api/call.ts';
import { watch } from '#app/api/watch-call.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { pageSignals } from '#app/offline/signals.ts';
import { browserTimers } from '#app/outbox/surroundings.ts';
import { createFeed, type Feed, type FeedState } from './feed.ts';

/** The board of a test, kept current while the page is open. */
export function useBoard(testId: string): FeedState & Pick<Feed, 'wake'> {
  const { serverNow } = useDevice();
  const [feed] = useState(() =>
    createFeed({
      watch: (listener) => watch(watchBoard, { params: { id: testId }, query: {} }, listener),
      ask: (signal) => call(getBoard, { params: { id: testId } }, { signal }),
      timers: browserTimers,
      random: Math.random,
      now: serverNow,
    }),
  );
  useEffect(() => {
    feed.start();
    const stops = [pageSignals.onOnline(feed.wake), pageSignals.onVisible(feed.wake)];
    return () => {
      feed.stop();
      for (const stop of stops) stop();
    };
  }, [feed]);
  return { ...useSyncExternalStore(feed.subscribe, feed.state), wake: feed.wake };
}
