import type { DataTag, QueryClient, QueryKey, Updater } from '@tanstack/react-query';

/** Shows the reply of an act in a query. A fetch that began earlier may still bring what the act replaced. */
export async function showReply<T>(
  client: QueryClient,
  queryKey: DataTag<QueryKey, T, Error>,
  reply: Updater<T | undefined, T | undefined>,
): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, reply);
}
