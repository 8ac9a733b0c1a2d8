import { QueryClient, queryOptions } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { showReply } from './show-reply.ts';

test('a fetch that began before the reply does not replace it, and the next one does', async () => {
  const client = new QueryClient();
  let reply: (state: string) => void = () => undefined;
  const query = queryOptions({
    queryKey: ['state'],
    queryFn: () => new Promise<string>((resolve) => (reply = resolve)),
  });
  const fetch = () => client.fetchQuery(query).catch(() => undefined);
  client.setQueryData(query.queryKey, 'old');
  const earlier = fetch();
  await showReply(client, query.queryKey, 'changed');
  reply('old');
  await earlier;
  expect(client.getQueryData(query.queryKey)).toBe('changed');
  const later = fetch();
  reply('newest');
  await later;
  expect(client.getQueryData(query.queryKey)).toBe('newest');
});

test('a reply that changes the state finds what was shown before the fetch', async () => {
  const client = new QueryClient();
  const query = queryOptions({
    queryKey: ['state'],
    queryFn: () => new Promise<number>(() => undefined),
  });
  client.setQueryData(query.queryKey, 1);
  void client.fetchQuery(query).catch(() => undefined);
  client.setQueryData(query.queryKey, 2);
  await showReply(client, query.queryKey, (before) => before && before + 1);
  expect(client.getQueryData(query.queryKey)).toBe(3);
});
