import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { getBoard, watchBoard } from '#contract/board.ts';
import { call } from '#app/api/call.ts';
import { watch } from '#app/api/watch-call.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { pageSignals } from '#app/offline/signals.ts';
import { browserTimers } from '#app/outbox/surroundings.ts';
import { createFeed, type Feed, type FeedState } from './feed.ts';

/**
 * The board of a test with trials or without, kept current while the page is open. The board of before
 * stays in sight until the other one comes.
 */
export function useBoard(testId: string, trials: boolean): FeedState & Pick<Feed, 'wake'> {
  const { serverNow } = useDevice();
  const feed = useMemo(() => {
    const of = { params: { id: testId }, query: trials ? { trials: '1' as const } : {} };
    return createFeed({
      watch: (listener) => watch(watchBoard, of, listener),
      ask: (signal) => call(getBoard, of, { signal }),
      timers: browserTimers,
      random: Math.random,
      now: serverNow,
    });
  }, [testId, trials, serverNow]);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  const [known, setKnown] = useState(state);
  if (state.board !== null && state !== known) setKnown(state);
  useEffect(() => {
    feed.start();
    const stops = [pageSignals.onOnline(feed.wake), pageSignals.onVisible(feed.wake)];
    return () => {
      feed.stop();
      for (const stop of stops) stop();
    };
  }, [feed]);
  const { board, updatedAt } = state.board === null ? known : state;
  return { ...state, board, updatedAt, wake: feed.wake };
}
