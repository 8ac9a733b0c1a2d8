import { IconAlertTriangle, IconClock, IconHourglassHigh } from '@tabler/icons-react';
import { useEffect } from 'react';
import { formatClock } from '#domain/format-time.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import type { BeginState } from '#app/storage/rows.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { holdMessage, withStop } from './begin-messages.ts';
import { hasUnsent } from './messages.ts';

/** The teacher may decide while the student answers. */
const ASK_EVERY_MS = 60_000;

/** Asks what became of a held begin, at first and while the page is open. */
function useDecision({ attemptId, begin }: BeginNoteProps['view']): void {
  const { outbox } = useDevice();
  const isHeld = begin?.state === 'held';
  useEffect(() => {
    if (!isHeld) return;
    const ask = () =>
      void outbox
        .begins()
        .then((begins) => begins.ask(attemptId))
        .catch((cause: unknown) => logProblem('О решении преподавателя не спросить', { cause }));
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [outbox, attemptId, isHeld]);
}

export interface BeginNoteProps {
  view: Pick<AttemptView, 'attemptId' | 'begin' | 'deadline' | 'readOnly' | 'counts'>;
}

/** A shorter correction is within what clocks and transit shift. */
const NOTICEABLE_MS = 60_000;

/** What the server says of an attempt that began on this device; empty once it counts, unless that took time from it. */
export function BeginNote({ view }: BeginNoteProps) {
  useDecision(view);
  return (
    <div role="status">
      {view.begin && <NoteContent view={view} begin={view.begin} />}
      <ShorterTime view={view} />
    </div>
  );
}

/** After the server counted the begin from an earlier moment than the device did. */
function ShorterTime({ view: { begin, deadline, readOnly } }: BeginNoteProps) {
  const zone = useShownZone();
  const estimate = begin?.estimate ?? deadline;
  const isShorter = estimate - deadline > NOTICEABLE_MS;
  if (!isShorter || readOnly === 'gone') return null;
  return (
    <InlineNote icon={IconClock} tone="warn">
      Сервер проверил время начала: времени оказалось меньше, чем показывало устройство.
      {readOnly === null && ` Тест закончится в ${formatClock(deadline, zone)}.`}
    </InlineNote>
  );
}

function NoteContent({ view, begin }: BeginNoteProps & { begin: BeginState }) {
  if (begin.state === 'accepted') return null;
  if (begin.state === 'waiting')
    return (
      <InlineNote icon={IconClock}>
        Попытка начата на этом устройстве. Начало и время проверятся, когда появится сеть.
      </InlineNote>
    );
  if (begin.state === 'refused')
    return (
      <InlineNote icon={IconAlertTriangle} tone="warn">
        <strong>Начало не принято.{begin.reason !== null && ` ${withStop(begin.reason)}`}</strong>{' '}
        {hasUnsent(view) && 'Ответы остаются на этом устройстве. '}Покажите это преподавателю.
      </InlineNote>
    );
  // The teacher has refused it or deleted the attempt, and the page says so.
  if (view.readOnly === 'gone') return null;
  return (
    <InlineNote icon={IconHourglassHigh} tone="warn">
      <strong>{holdMessage(begin.reason)}</strong>{' '}
      {view.readOnly === null
        ? 'Отвечайте дальше: ответы сохраняются.'
        : 'Он решит, засчитать ли ответы.'}
    </InlineNote>
  );
}
