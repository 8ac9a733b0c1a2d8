import { EditModes } from '#app/authoring/EditModes.tsx';
import type { Draft } from '#app/authoring/draft/draft.ts';

export function CustomEditor({ draft }: { draft: Draft }) {
  return <EditModes testId={draft.testId} mode="custom" />;
}
