import { createFileRoute } from '@tanstack/react-router';
import * as v from 'valibot';
import { AddressFlag, orNothing, readAddress } from '#domain/address.ts';
import { BoardPage } from '#app/features/board/BoardPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

/** The filter of the board; all students by default. */
const SearchParams = v.object({
  show: orNothing(v.picklist(['stuck', 'finished'])),
  trials: orNothing(AddressFlag),
});

const boardSearch = (given: Record<string, unknown>) => readAddress(SearchParams, given);

export const Route = createFileRoute('/_signed/tests/manage/$testId/live')({
  validateSearch: boardSearch,
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  // The router would restore invalid parameters that the schema drops.
  const { show, trials } = boardSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const onChange = (isShown: boolean) =>
    void navigate({
      search: { ...(show && { show }), ...(isShown && { trials: '1' as const }) },
      resetScroll: false,
    });
  return (
    <ManageFrame testId={testId} title="Ход теста">
      <BoardPage
        testId={testId}
        show={show ?? 'all'}
        trials={{ isShown: trials !== undefined, onChange }}
      />
    </ManageFrame>
  );
}
