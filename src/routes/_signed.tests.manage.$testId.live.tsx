import { createFileRoute } from '@tanstack/react-router';
import * as v from 'valibot';
import { BoardPage } from '#app/board/BoardPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

/** Whom the board shows; everybody where the address says nothing. */
const Search = v.object({
  show: v.fallback(v.optional(v.picklist(['stuck', 'finished'])), undefined),
});

export const Route = createFileRoute('/_signed/tests/manage/$testId/live')({
  validateSearch: (search): { show?: 'stuck' | 'finished' } => {
    const { show } = v.parse(Search, search);
    return show === undefined ? {} : { show };
  },
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const { show = 'all' } = Route.useSearch();
  return (
    <ManageFrame testId={testId} title="Ход теста">
      <BoardPage key={testId} testId={testId} show={show} />
    </ManageFrame>
  );
}
