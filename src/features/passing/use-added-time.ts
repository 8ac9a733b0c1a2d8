import { useEffect, useState } from 'react';
import { formatDuration, formatRemaining } from '#domain/format-time.ts';
import type { AttemptView } from '#app/outbox/types.ts';

const SHOWN_MS = 60_000;
const MINUTE = 60_000;

/** «Преподаватель добавил 5 минут, осталось 12:40» for a while after the deadline has moved; null: it has not. */
export function useAddedTime({ deadline, now }: AttemptView): string | null {
  const [known, setKnown] = useState(deadline);
  const [message, setMessage] = useState<string | null>(null);
  if (known !== deadline) {
    setKnown(deadline);
    const added = Math.round((deadline - known) / MINUTE) * MINUTE;
    setMessage(
      added > 0 && deadline > now
        ? `Преподаватель добавил ${formatDuration(added)}, осталось ${formatRemaining(deadline - now)}`
        : null,
    );
  }
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setMessage(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return message;
}
