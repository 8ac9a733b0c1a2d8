import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister';
import type { Query, QueryClient } from '@tanstack/react-query';
import {
  persistQueryClientRestore,
  persistQueryClientSubscribe,
  removeOldestQuery,
  type PersistedClient,
} from '@tanstack/react-query-persist-client';
import * as v from 'valibot';
import { SavedAnswers } from '#contract/answers.ts';
import { getPassing } from '#contract/tests.ts';
import { logProblem } from '#app/lib/log.ts';
import { PASSING, SAVED_ANSWERS } from '#app/lib/query-keys.ts';

/** The two persisted query keys (specification, section 7) with the schemas of their data. */
const PERSISTED: ReadonlyMap<unknown, v.GenericSchema> = new Map<unknown, v.GenericSchema>([
  [PASSING, v.nullable(getPassing.reply)],
  [SAVED_ANSWERS, SavedAnswers],
]);

const MAX_AGE_MS = 30 * 24 * 60 * 60_000;
/** Two entries per attempt. */
const MAX_QUERIES = 40;
const MAX_CHARACTERS = 4_000_000;

// Not the app version: an update must not drop the data of a running attempt.
const BUSTER = 'passing-1';

const PREFIX = 'queries:';
const keyOf = (owner: string) => `${PREFIX}${owner}`;

const PersistedShape = v.object({
  buster: v.string(),
  timestamp: v.number(),
  clientState: v.object({
    mutations: v.array(v.unknown()),
    queries: v.array(
      v.looseObject({
        queryKey: v.array(v.unknown()),
        queryHash: v.string(),
        state: v.looseObject({
          data: v.unknown(),
          dataUpdatedAt: v.number(),
          status: v.literal('success'),
        }),
      }),
    ),
  }),
});

const nothing = (): PersistedClient => ({
  buster: BUSTER,
  timestamp: Date.now(),
  clientState: { mutations: [], queries: [] },
});

/**
 * Parses persisted queries; invalid content is logged and dropped, entirely or by entry. The newest of the rest
 * remain, each up to its own age, since every write renews the age of the whole.
 */
export function parsePersisted(text: string): PersistedClient {
  try {
    if (text.length > MAX_CHARACTERS) throw new Error(`${text.length} characters`);
    const client = v.parse(PersistedShape, JSON.parse(text));
    const oldest = Date.now() - MAX_AGE_MS;
    const newest = client.clientState.queries
      .filter(({ state }) => state.dataUpdatedAt >= oldest)
      .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
      .slice(0, MAX_QUERIES);
    const queries = newest.flatMap((query) => {
      const key = query.queryKey[0];
      const parsed = v.safeParse(PERSISTED.get(key) ?? v.never(), query.state.data);
      if (parsed.success) return [{ ...query, state: { ...query.state, data: parsed.output } }];
      logProblem('Сохранённые данные теста не разобрать', { key });
      return [];
    });
    // The schema has validated every part that hydration reads.
    return { ...client, clientState: { mutations: [], queries } } as unknown as PersistedClient;
  } catch (cause) {
    logProblem('Сохранённые данные теста не разобрать', { cause });
    return nothing();
  }
}

const isOver = (data: unknown) =>
  typeof data === 'object' && data !== null && 'state' in data && data.state === 2;

const isPersisted = ({ state, queryKey: [key] }: Query) =>
  state.status === 'success' && PERSISTED.has(key) && !(key === PASSING && isOver(state.data));

/** Persistence of one user's queries. */
export interface Persistence {
  restored: Promise<void>;
  /** Stops writing and erases the stored queries. */
  erase: () => void;
  /** Stops writing and leaves the stored queries. */
  stop: () => void;
}

/** Persists `test/passing` and `test/savedAnswers` of one user across reloads; for display only. */
export function persistQueries(
  queryClient: QueryClient,
  owner: string,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): Persistence {
  let isOpen = true;
  const persister = createSyncStoragePersister({
    key: keyOf(owner),
    deserialize: parsePersisted,
    retry: removeOldestQuery,
    storage: {
      getItem: (key) => storage.getItem(key),
      removeItem: (key) => storage.removeItem(key),
      // The persister writes with a delay of up to a second: a late write after a sign-out must have no effect.
      setItem: (key, value) => {
        if (isOpen) storage.setItem(key, value);
      },
    },
  });
  const options = {
    queryClient,
    persister,
    buster: BUSTER,
    maxAge: MAX_AGE_MS,
    dehydrateOptions: { shouldDehydrateQuery: isPersisted, shouldDehydrateMutation: () => false },
  };
  for (const key of PERSISTED.keys()) {
    // 30 days exceed the maximum timer delay and would fire at once: the stored copy expires by its age.
    queryClient.setQueryDefaults([key], { gcTime: Number.POSITIVE_INFINITY });
  }
  let unsubscribe: () => void = () => undefined;
  const restored = persistQueryClientRestore(options)
    .catch((cause: unknown) => logProblem('Сохранённые данные теста не прочитать', { cause }))
    .then(() => {
      if (isOpen) unsubscribe = persistQueryClientSubscribe(options);
    });
  const stop = () => {
    isOpen = false;
    unsubscribe();
  };
  return {
    restored,
    stop,
    erase: () => {
      stop();
      try {
        storage.removeItem(keyOf(owner));
      } catch (cause) {
        logProblem('Сохранённые данные теста не стереть', { cause });
      }
    },
  };
}

/** Clears the query cache, optionally except for the queries of a running attempt. */
export function clearQueries(queryClient: QueryClient, { keepAttempt }: { keepAttempt: boolean }) {
  if (!keepAttempt) {
    queryClient.clear();
    return;
  }
  queryClient.removeQueries({ predicate: ({ queryKey }) => !PERSISTED.has(queryKey[0]) });
}

/** Erases the persisted queries of everybody but this owner. */
export function forgetOtherQueries(owner: string, storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const key of keys) {
    if (key?.startsWith(PREFIX) && key !== keyOf(owner)) storage.removeItem(key);
  }
}
