import { HEADER } from '#contract/headers.ts';
import type { Plant } from '#simulation/plant.ts';
import { changes } from './server.ts';

/** Bugs of a begin without a network, on the device and on the server. */

/** The begin counts from its sending, not from its moment. */
export const countsFromSending: Plant = {
  fetch: (fetch) => (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.has(HEADER.offer)) headers.set(HEADER.age, '0');
    return fetch(input, { ...init, headers });
  },
};

/** The attempt is stored without its begin. */
export const forgetsBegin: Plant = {
  storage: (storage) => ({
    ...storage,
    durable: storage.durable,
    write: (stores, run) =>
      storage.write(stores, (tx) =>
        run({
          ...tx,
          put: async (store, row) => {
            const stored = 'begin' in row ? { ...row, begin: undefined } : row;
            return tx.put(store, stored);
          },
        }),
      ),
  }),
};

/** A code counts as shown since it was made. */
export const ignoresFirstShowing = changes('show_from as "showFrom", shown_at', (text) =>
  text.replace('shown_at as', 'made_at as'),
);

/** Nobody was ever shown a code. */
export const forgetsFirstShowing = changes('show_from as "showFrom", shown_at', (text) =>
  text.replace('shown_at as', 'null::timestamptz as'),
);

/** A begin does not look at the student's other attempts. */
export const ignoresOtherAttempts = changes(
  'coalesce(ended_at, deadline) as "end"',
  (text) => `${text} and false`,
);

/** The time of an attempt is longer than it was. */
export const addsMinutes = changes('trial, begin_held)', (text) =>
  text.replace('$5, $6, $7', "$5, $6::timestamptz + interval '10 minutes', $7"),
);
