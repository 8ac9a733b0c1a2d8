import type { Write } from '#simulation/evidence.ts';

/** What a device that lost its power may not have lost, nor doubled. Each gives what is wrong. */

/** An operation as it lies on the device. */
export interface DeviceRow {
  readonly operationId: string;
  readonly attemptId: string;
  readonly stream: string;
  readonly sequence: number;
}

/** What the simulation knows of the device. */
export interface Crashed {
  readonly device: string;
  readonly writes: readonly Write[];
  readonly wipedStreams: ReadonlySet<string>;
  /** Ids that pages made. */
  readonly made: ReadonlySet<string>;
  /** Pages of a full device number in memory, each by itself. */
  readonly wasFull: boolean;
}

/** What was shown as saved on the device lies there, whatever the server has. */
export function crashKeepsSaved(crashed: Crashed, rows: readonly DeviceRow[]): string[] {
  const there = new Set(rows.map(({ operationId }) => operationId));
  return crashed.writes
    .filter((write) => write.saved && write.device === crashed.device)
    .filter((write) => !crashed.wipedStreams.has(write.stream))
    .filter((write) => !there.has(write.operationId))
    .map((write) => `${write.operationId} #${write.sequence} is not on ${crashed.device} any more`);
}

/** Nothing lies there twice, and nothing that no page made. */
export function crashDoublesNothing(crashed: Crashed, rows: readonly DeviceRow[]): string[] {
  const places = new Map<string, string>();
  const wrong: string[] = [];
  for (const { operationId, attemptId, stream, sequence } of rows) {
    if (!crashed.made.has(operationId)) wrong.push(`${operationId} was made by no page`);
    const place = `${attemptId} ${stream} #${sequence}`;
    const other = places.get(place);
    if (other !== undefined && !crashed.wasFull) {
      wrong.push(`${operationId} and ${other} are both ${place} on ${crashed.device}`);
    }
    places.set(place, operationId);
  }
  return wrong;
}
