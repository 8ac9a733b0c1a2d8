import { createFileRoute } from '@tanstack/react-router';
import * as v from 'valibot';
import { Id } from '#contract/primitives.ts';
import { AddressFlag, orNothing, readAddress } from '#domain/address.ts';
import { BoardPage } from '#app/features/board/BoardPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

/** The filter of the board; all students by default. */
const SearchParams = v.object({
  show: orNothing(v.picklist(['stuck', 'finished'])),
  trials: orNothing(AddressFlag),
  /** Whose start code is shown. */
  class: orNothing(Id),
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
  const { trials, class: groupId } = search;
  return (
    <ManageFrame testId={testId} title="Ход теста">
      <BoardPage
        testId={testId}
        show={search.show ?? 'all'}
        trials={{
          isShown: trials !== undefined,
          onChange: (isShown) => {
            const { trials: _, ...rest } = search;
            onSearch(isShown ? { ...rest, trials: '1' } : rest, { replace: false });
          },
        }}
        code={{
          groupId,
          onChange: (chosen) => {
            const { class: _, ...rest } = search;
            onSearch(chosen === undefined ? rest : { ...rest, class: chosen }, { replace: false });
          },
        }}
      />
    </ManageFrame>
  );
}
