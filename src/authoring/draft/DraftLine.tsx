import { Trail } from '#app/ui/Trail.tsx';
import type { Draft } from './draft.ts';

/** Where the working copy is, with the trail. */
export function DraftLine({ draft }: { draft: Draft }) {
  return (
    <span>
      <Trail stage={draft.state.kind === 'server' ? 'server' : 'device'} />
    </span>
  );
}
