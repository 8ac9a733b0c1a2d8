import { adoptDeadline, attemptsOf } from './attempts.ts';
import type { Core } from './core.ts';
import { exchange } from './exchange.ts';
import { attemptHeaders } from './headers.ts';
import { streamKey, streamOf } from './write.ts';

/**
 * Tells the server, for each attempt that goes on here, that this device is there and how far it has
 * written: what the teacher reads as «на связи» and «на устройстве». What is known of the deadline
 * comes back. A failure changes nothing; the next report tells it all again.
 */
export async function reportHeads(core: Core): Promise<void> {
  await core.ready();
  const session = await core.session();
  if (!session || core.runtime.pause) return;
  const now = core.keeper.serverNow() ?? core.keeper.wall();
  const rows = (await attemptsOf(core, session.owner)).filter(
    (row) => row.state !== 'finished' && !row.takenOver && !row.gone && now < row.countsUntil,
  );
  for (const row of rows) {
    const { attemptId, stream } = row;
    const written = (streamOf(row, stream)?.nextSequence ?? 1) - 1;
    const head = Math.max(written, core.runtime.highest.get(streamKey(attemptId, stream)) ?? 0);
    const sent = await exchange(core, row, () =>
      core.env.transport.passing(session.token, attemptId, attemptHeaders(stream, head)),
    );
    if (sent.ok) await adoptDeadline(core, attemptId, sent.value);
  }
}
