import { VisuallyHidden } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { formatClockSeconds, formatElapsed } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { useNow } from '#app/offline/use-now.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import classes from './Board.module.css';
import type { FeedState } from './feed.ts';

const SECOND = 1_000;
/** A stream says something every 15 s, polling every 5: later than this something is wrong. */
const STALE_AFTER_MS = 20 * SECOND;
/** After a try that failed it is said sooner. */
const FAILED_AFTER_MS = 5 * SECOND;

/** The moment that the board speaks of: now, as long as it is known to be true. */
export function trueAt({ updatedAt }: Pick<FeedState, 'updatedAt'>, now: number): number {
  return updatedAt === null ? now : Math.min(now, updatedAt + STALE_AFTER_MS);
}

function isStale({ updatedAt, problem }: FeedState, now: number): boolean {
  if (updatedAt === null) return false;
  return now - updatedAt > (problem ? FAILED_AFTER_MS : STALE_AFTER_MS);
}

/** Says plainly that the board is not current, and from when it is. */
export function Currency({ feed }: { feed: FeedState }) {
  const { timeZone } = useDevice();
  const now = useNow(SECOND);
  const { updatedAt } = feed;
  const stale = updatedAt !== null && isStale(feed, now);
  const shown = updatedAt === null ? '' : formatClockSeconds(updatedAt, timeZone);
  return (
    <>
      {stale && (
        <InlineNote tone="warn" icon={IconCloudOff}>
          <span className="tabular">
            Нет связи с сервером {formatElapsed(now - updatedAt)}; показано то, что было в {shown}
          </span>
        </InlineNote>
      )}
      <VisuallyHidden component="output">
        {stale ? `Нет связи с сервером. Показано то, что было в ${shown}` : ''}
      </VisuallyHidden>
    </>
  );
}

/** The small print: from when the board is, and what its figures mean. */
export function Footing({ feed }: { feed: FeedState }) {
  const { timeZone } = useDevice();
  if (feed.updatedAt === null) return null;
  return (
    <p className={classes.footing}>
      Обновлено в <span className="tabular">{formatClockSeconds(feed.updatedAt, timeZone)}</span>
      {feed.way === 'polling' && ', обновляется раз в 5 секунд'}. Число неотправленных ответов
      известно на момент последней связи.
    </p>
  );
}
