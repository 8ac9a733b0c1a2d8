import { IconProgress } from '@tabler/icons-react';
import { useCallback, type ReactNode } from 'react';
import { formatElapsed } from '#domain/format-time.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { LocalAttempt } from '#app/outbox/types.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { useNow } from '#app/lib/use-now.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';

const NONE: readonly LocalAttempt[] = [];
const EVERY_MS = 15_000;

export interface ResumeBannerProps {
  owner: string;
  /** The test of the current page, which needs no banner. */
  exceptTestId?: string | undefined;
  /** The link «Продолжить» to a test. */
  renderContinue: (testId: string) => ReactNode;
}

/** Shown on every page while a test of this person runs on this device, with a link to it. */
export function ResumeBanner({ owner, exceptTestId, renderContinue }: ResumeBannerProps) {
  const readRunning = useCallback((outbox: Outbox) => outbox.runningAttempts(owner), [owner]);
  const running = useOutboxValue<readonly LocalAttempt[]>(readRunning, NONE);
  const now = useNow(EVERY_MS);
  return running
    .filter(({ deadline, testId }) => deadline > now && testId !== exceptTestId)
    .map(({ attemptId, testId, title, deadline }) => (
      <InlineNote key={attemptId} tone="ink" icon={IconProgress} action={renderContinue(testId)}>
        Идёт тест «{title}», осталось {formatElapsed(deadline - now)}
      </InlineNote>
    ));
}
