import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { getBoard, watchBoard } from '#contract/board.ts';
import { call } from '#app/api/call.ts';
import { watch } from '#app/api/watch.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { pageSignals } from '#app/offline/signals.ts';
import { browserTimers } from '#app/api/timers.ts';
import { createFeed, type Feed, type FeedState } from './feed.ts';

/**
 * The board of a test, with or without trials, updated while the page is open. The previous board stays visible
 * until the next one arrives.
 */
export function useBoard(testId: string, trials: boolean): FeedState & Pick<Feed, 'wake'> {
  const { serverNow } = useDevice();
  const feed = useMemo(() => {
    const of = { params: { id: testId }, query: trials ? { trials: '1' as const } : {} };
    return createFeed({
      watch: (listener) => watch(watchBoard, of, listener),
      poll: (signal) => call(getBoard, of, { signal }),
      timers: browserTimers,
      random: Math.random,
      now: serverNow,
    });
  }, [testId, trials, serverNow]);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  const [lastState, setLastState] = useState(state);
  if (state.board !== null && state !== lastState) setLastState(state);
  useEffect(() => {
    feed.start();
    const stops = [pageSignals.onOnline(feed.wake), pageSignals.onVisible(feed.wake)];
    return () => {
      feed.stop();
      for (const stop of stops) stop();
    };
  }, [feed]);
  const { board, updatedAt } = state.board === null ? lastState : state;
  return { ...state, board, updatedAt, wake: feed.wake };
}
