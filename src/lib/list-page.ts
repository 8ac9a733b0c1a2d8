import { useEffect, useEffectEvent } from 'react';
import { lastPage } from '#app/ui/data/pages.ts';

/** Puts the parameters of a page into the URL. `replace`: typing and filters add no history entries. */
export type OnSearch<Search> = (next: Search, options: { replace: boolean }) => void;

/** Goes to the last page of a list that is shorter than the page in the URL requires; `total` null: not known yet. */
export function useLastPage(
  {
    page = 1,
    pageSize,
    total,
  }: { page?: number | undefined; pageSize: number; total: number | null },
  onPage: (last: number) => void,
): void {
  const last = total === null ? page : lastPage({ total, pageSize });
  const goTo = useEffectEvent(onPage);
  useEffect(() => {
    if (page > last) goTo(last);
  }, [page, last]);
}
