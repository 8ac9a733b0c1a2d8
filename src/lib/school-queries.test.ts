import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { listGroups } from '#contract/groups.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import type { QueryOf } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { classesQuery } from './school-queries.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

test.each([0, MAX_PAGE_SIZE, MAX_PAGE_SIZE * 2 + 1])(
  'reads all %i classes, a page at a time',
  async (total) => {
    const all = Array.from({ length: total }, (_, at) => ({ groupId: String(at) }));
    vi.mocked(call).mockImplementation((async (
      _route: unknown,
      { query: { page, pageSize } }: { query: QueryOf<typeof listGroups> },
    ) => ({ items: all.slice((page - 1) * pageSize, page * pageSize), total })) as never);
    const { items } = await new QueryClient().fetchQuery(classesQuery);
    expect(items).toEqual(all);
  },
);
