import { createFileRoute } from '@tanstack/react-router';
import * as v from 'valibot';
import { AddressFlag, orNothing, readAddress } from '#domain/address.ts';
import { BoardPage } from '#app/features/board/BoardPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

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
  const { search, onSearch } = useSearchState(boardSearch, Route.useSearch(), Route.useNavigate(), {
    keepsScroll: true,
  });
  const { show, trials } = search;
  const onChange = (isShown: boolean) =>
    onSearch(
      { ...(show && { show }), ...(isShown && { trials: '1' as const }) },
      { replace: false },
    );
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
