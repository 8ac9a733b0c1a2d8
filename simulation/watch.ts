import { rows } from '#server/db/query.ts';
import type { World } from './world.ts';

/** Invariants of the server and its database between two steps. */

interface AttemptState {
  readonly deadline: number;
  readonly contentId: string;
  readonly restores: number;
}

/** Reports invariants that the server itself found broken. */
export function violateBroken({ server, history }: World): void {
  for (const detail of server.brokenInvariants())
    history.violate({ invariant: 'serverInvariantsHold', detail });
}

/** Compares attempts with their previous state; call after every step. */
export function createWatch(world: World): () => Promise<void> {
  const states = new Map<string, AttemptState>();
  return async () => {
    const { server, students, record, history } = world;
    violateBroken(world);
    const found = await rows<{ id: string; deadline: Date; contentId: string }>(
      server.pool,
      'select id, deadline, content_id as "contentId" from attempts where user_id = any($1) order by id',
      [students.map(({ userId }) => userId)],
    );
    for (const { id, deadline, contentId } of found) {
      const before = states.get(id);
      const restores = record.restores.length;
      const detail = history.name('a', id);
      if (before && before.restores === restores && deadline.getTime() < before.deadline) {
        history.violate({ invariant: 'deadlineNeverEarlier', detail });
      }
      if (before && before.contentId !== contentId) {
        history.violate({ invariant: 'attemptKeepsItsVersion', detail });
      }
      states.set(id, { deadline: deadline.getTime(), contentId, restores });
    }
  };
}
