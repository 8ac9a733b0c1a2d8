import { useEffect, useRef } from 'react';
import { useNow } from '#app/offline/use-now.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { SyncIndicator } from '#app/ui/SyncIndicator.tsx';
import { TakingHeader } from '#app/ui/TakingHeader.tsx';
import { TimeAnnouncer } from '#app/ui/TimeAnnouncer.tsx';

const TICK_MS = 250;

export interface TimeHeaderProps {
  view: AttemptView;
  current: number;
  /** What is spoken of the time. */
  words: string;
  onOpenAnswers: () => void;
  /** Once, when the deadline is reached while the attempt runs. */
  onTimeOver: () => void;
}

/** Time left by the deadline and the server's clock, never by counting ticks; and where the answers are. */
export function TimeHeader({ view, current, words, onOpenAnswers, onTimeOver }: TimeHeaderProps) {
  const now = useNow(TICK_MS);
  const remainingMs = view.state === 'running' ? Math.max(0, view.deadline - now) : 0;
  useTimeOver(view, remainingMs, onTimeOver);
  return (
    <>
      <TakingHeader
        remainingMs={remainingMs}
        title={view.title}
        detail={`попытка ${view.attemptNumber} из ${view.attemptsCount}`}
        questions={view.answers}
        current={current}
        sync={
          <SyncIndicator state={view.sync.kind} count={view.sync.count} onOpen={onOpenAnswers} />
        }
      />
      <TimeAnnouncer words={words} />
    </>
  );
}

/** One call per deadline: a moved one may pass again. */
function useTimeOver(view: AttemptView, remainingMs: number, onTimeOver: () => void): void {
  const told = useRef<number | null>(null);
  const isOver = view.state === 'running' && remainingMs === 0;
  const mayFinish = view.readOnly === null || view.readOnly === 'timeOver';
  useEffect(() => {
    if (!isOver || !mayFinish || told.current === view.deadline) return;
    told.current = view.deadline;
    onTimeOver();
  }, [isOver, mayFinish, view.deadline, onTimeOver]);
}
