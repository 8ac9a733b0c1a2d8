import { useEffect, useRef } from 'react';
import { useNow } from '#app/lib/use-now.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { Announcer } from '#app/ui/Announcer.tsx';
import { SyncIndicator } from '#app/ui/taking/SyncIndicator.tsx';
import { TakingHeader } from '#app/ui/taking/TakingHeader.tsx';

const TICK_MS = 250;

export interface TimeHeaderProps {
  view: AttemptView;
  current: number;
  /** Text of the live region. */
  announcement: string;
  onOpenAnswers: () => void;
  /** Called once when the deadline passes during the attempt. */
  onTimeOver: () => void;
}

/** Delivery state and time left, computed from the deadline and the server clock rather than by counting ticks. */
export function TimeHeader({
  view,
  current,
  announcement,
  onOpenAnswers,
  onTimeOver,
}: TimeHeaderProps) {
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
      <Announcer words={announcement} />
    </>
  );
}

/** One call per deadline: an extended one can pass again. */
function useTimeOver(view: AttemptView, remainingMs: number, onTimeOver: () => void): void {
  const reportedDeadline = useRef<number | null>(null);
  const isOver = view.state === 'running' && remainingMs === 0;
  const mayFinish = view.readOnly === null || view.readOnly === 'timeOver';
  useEffect(() => {
    // A corrected clock shows time left again, and the same deadline passes once more.
    if (remainingMs > 0) reportedDeadline.current = null;
  }, [remainingMs]);
  useEffect(() => {
    if (!isOver || !mayFinish || reportedDeadline.current === view.deadline) return;
    reportedDeadline.current = view.deadline;
    onTimeOver();
  }, [isOver, mayFinish, view.deadline, onTimeOver]);
}
