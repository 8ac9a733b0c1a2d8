import { createFileRoute } from '@tanstack/react-router';
import * as v from 'valibot';
import { BoardPage } from '#app/board/BoardPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

/** Whom the board shows; everybody where the address says nothing. */
const Search = v.object({
  show: v.fallback(v.optional(v.picklist(['stuck', 'finished'])), undefined),
});

function boardSearch(given: Record<string, unknown>): { show?: 'stuck' | 'finished' } {
  const { show } = v.parse(Search, given);
  return show === undefined ? {} : { show };
}

export const Route = createFileRoute('/_signed/tests/manage/$testId/live')({
  validateSearch: boardSearch,
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  // What the schema leaves out of a wrong URL the router would put back.
  const { show = 'all' } = boardSearch({ ...Route.useSearch() });
  return (
    <ManageFrame testId={testId} title="Ход теста">
      <BoardPage key={testId} testId={testId} show={show} />
    </ManageFrame>
  );
}
