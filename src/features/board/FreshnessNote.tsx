import { Text, VisuallyHidden } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { formatClockSeconds, formatElapsed } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { useNow } from '#app/lib/use-now.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import type { FeedState } from './feed.ts';

const SECOND = 1_000;
/** A stream sends a heartbeat every 10 s, polling runs every 5 s: beyond this the data is stale. */
const STALE_AFTER_MS = 20 * SECOND;
/** After a failed request staleness is shown sooner. */
const FAILED_AFTER_MS = 5 * SECOND;

/** The moment the board describes: now while the data is fresh, else its last update. */
export function trueAt({ updatedAt }: Pick<FeedState, 'updatedAt'>, now: number): number {
  return updatedAt === null ? now : Math.min(now, updatedAt + STALE_AFTER_MS);
}

function isStale({ updatedAt, problem }: FeedState, now: number): boolean {
  if (updatedAt === null) return false;
  return now - updatedAt > (problem ? FAILED_AFTER_MS : STALE_AFTER_MS);
}

/** Warns that the board is stale, with the time of its last update. */
export function FreshnessNote({ feed }: { feed: FeedState }) {
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

/** Footnote: the time of the last update and the meaning of the figures. */
export function Footing({ feed }: { feed: FeedState }) {
  const { timeZone } = useDevice();
  if (feed.updatedAt === null) return null;
  return (
    <Text size="sm" c="dimmed">
      Обновлено в <span className="tabular">{formatClockSeconds(feed.updatedAt, timeZone)}</span>
      {feed.transport === 'polling' && ', обновляется раз в 5 секунд'}. Число неотправленных ответов
      известно на момент последней связи.
    </Text>
  );
}
