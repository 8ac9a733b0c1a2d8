import { formatNumber } from '#domain/format.ts';

/** A part of a list; pages count from 1. */
export interface PageOf {
  page: number;
  pageSize: number;
  total: number;
}

export const lastPage = ({ total, pageSize }: Omit<PageOf, 'page'>): number =>
  Math.max(1, Math.ceil(total / pageSize));

/** The page numbers to offer: the first, the last, and those beside the current one. −7 means a gap before 7. */
export function offeredPages(page: number, last: number): number[] {
  const near = [1, page - 1, page, page + 1, last].filter((one) => one >= 1 && one <= last);
  const pages = [...new Set(near)].sort((a, b) => a - b);
  return pages.flatMap((one, index) => {
    const before = pages[index - 1];
    if (before === undefined || one - before === 1) return [one];
    return one - before === 2 ? [one - 1, one] : [-one, one];
  });
}

/** «21–40 из 130» */
export function formatRange({ page, pageSize, total }: PageOf): string {
  const from = (page - 1) * pageSize + 1;
  const to = Math.min(total, page * pageSize);
  const range = from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`;
  return `${range} из ${formatNumber(total)}`;
}
