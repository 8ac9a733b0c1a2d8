import { HEADER } from '#contract/headers.ts';
import { makeOffer, type Offer } from '#contract/offers.ts';
import type { AttemptRow } from '#app/storage/rows.ts';
import type { Storage, Transaction } from '#app/storage/storage.ts';
import { wrapKey, proofOf } from '#server/offline/offer-crypto.ts';
import { one } from '#server/db/query.ts';
import type { Plant } from '#simulation/plant.ts';
import { createRandom } from '#simulation/random.ts';
import type { SimulatedServer, WireReply, WireRequest } from '#simulation/server.ts';
import { changes } from './server.ts';

/** Bugs of a begin without a network, on the device and on the server. */

/** Changes the headers of a begin as its device sends it. */
const sendsBegin = (change: (headers: Headers) => void): Plant => ({
  fetch: (fetch) => (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.has(HEADER.offer)) change(headers);
    return fetch(input, { ...init, headers });
  },
});

/** The begin counts from its sending, not from its moment. */
export const countsFromSending = sendsBegin((headers) => headers.set(HEADER.age, '0'));

/** An unknown age is reported as none. */
export const reportsUnknownAsNone = sendsBegin((headers) => {
  if (headers.get(HEADER.age) === 'unknown') headers.set(HEADER.age, '0');
});

/** The age is not sent. */
export const sendsNoAge = sendsBegin((headers) => headers.delete(HEADER.age));

/** A repeat of a begin is another begin. */
export function sendsFreshStreams(): Plant {
  const random = createRandom(1, 'fresh streams');
  const sent = new Set<string>();
  return sendsBegin((headers) => {
    const key = headers.get(HEADER.idempotencyKey) ?? '';
    if (sent.has(key)) {
      headers.set(HEADER.stream, random.uuid());
      headers.set(HEADER.idempotencyKey, random.uuid());
    }
    sent.add(key);
  });
}

/** Changes attempts as they are stored and read. */
const aroundAttempts = (
  change: (tx: Transaction) => Partial<Transaction>,
): Required<Pick<Plant, 'storage'>> => ({
  storage: (storage: Storage) => {
    const changed = (tx: Transaction): Transaction => ({ ...tx, ...change(tx) });
    return {
      ...storage,
      durable: storage.durable,
      read: (stores, run) => storage.read(stores, (tx) => run(changed(tx))),
      write: (stores, run) => storage.write(stores, (tx) => run(changed(tx))),
    };
  },
});

/** Stores each attempt with another begin. */
const storesBegin = (
  change: (begin: AttemptRow['begin'], before: AttemptRow | null) => AttemptRow['begin'],
): Plant =>
  aroundAttempts((tx) => ({
    put: async (store, row) => {
      if (store !== 'attempts') return tx.put(store, row);
      const attempt = row as AttemptRow;
      const before = await tx.get('attempts', attempt.attemptId);
      await tx.put('attempts', { ...attempt, begin: change(attempt.begin, before) });
    },
  }));

/** The attempt is stored without its begin. */
export const forgetsBegin = storesBegin(() => undefined);

/** A begin counts as accepted before it was sent. */
export const acceptsUnsent = storesBegin(
  (begin) => begin && { ...begin, state: begin.state === 'waiting' ? 'accepted' : begin.state },
);

/** A restore sends no begin again. */
export const keepsBeginAfterRestore = storesBegin((begin, before) =>
  begin?.state === 'waiting' && before?.begin && before.begin.state !== 'waiting'
    ? before.begin
    : begin,
);

/** The device keeps its own estimate of the time where the server gives less. */
export const keepsEstimate = aroundAttempts((tx) => ({
  put: async (store, row) => {
    if (store !== 'attempts') return tx.put(store, row);
    const attempt = row as AttemptRow;
    const before = await tx.get('attempts', attempt.attemptId);
    const deadline = Math.max(before?.deadline ?? 0, attempt.deadline);
    await tx.put('attempts', { ...attempt, deadline });
  },
}));

/** Answers go before their begin, every second time that the queue is read. */
export function sendsAnswersFirst(): Plant {
  let reads = 0;
  return aroundAttempts((tx) => ({
    all: async (store, index, value) => {
      const rows = await tx.all(store, index, value);
      if (store !== 'attempts') return rows;
      reads += 1;
      if (reads % 2 === 0) return rows;
      return rows.map((row) => ({ ...row, begin: undefined }));
    },
  }));
}

/** Changes requests and replies of the server. */
const aroundServer =
  (
    change: (
      server: SimulatedServer,
      request: WireRequest,
    ) => Promise<WireRequest | ((reply: WireReply) => Promise<WireReply>)>,
  ): Required<Pick<Plant, 'server'>>['server'] =>
  (server) =>
  async (request) => {
    const changed = await change(server, request);
    if (typeof changed !== 'function') return server.deliver(changed);
    return changed(await server.deliver(request));
  };

/** Changes offers as the server replies them. */
const repliesOffer = (
  change: (offer: Offer, server: SimulatedServer) => Promise<Offer>,
): Plant => ({
  server: aroundServer(async (server, request) => {
    const isOffer = new RegExp(`^${makeOffer.path.replace('{id}', '[^/]+')}$`).test(request.url);
    if (!isOffer) return request;
    return async (reply) => {
      if (reply.status !== 200) return reply;
      const offer = await change(JSON.parse(reply.text) as Offer, server);
      return { ...reply, text: JSON.stringify(offer) };
    };
  }),
});

/** Every offer is for the key of the student who was first to get one. */
export function wrapsForTheFirst(): Plant {
  let first: string | null = null;
  return repliesOffer(async (offer, { pool, deps }) => {
    const found = await one<{ userId: string; codeKey: Buffer }>(
      pool,
      `select o.user_id as "userId", c.code_key as "codeKey"
       from offers o join start_codes c on c.id = o.code_id where o.id = $1`,
      [offer.offerId],
    );
    if (!found) return offer;
    first ??= found.userId;
    const keys = { sealKey: deps.state.sealKey, codeKey: found.codeKey };
    return { ...offer, wrappedKey: wrapKey(keys, { offerId: offer.offerId, userId: first }) };
  });
}

/** The content is not encrypted. */
export const sealsNothing = repliesOffer(async (offer, { pool }) => {
  const found = await one<{ questions: unknown }>(
    pool,
    `select c.questions from offers o join test_contents c on c.id = o.content_id where o.id = $1`,
    [offer.offerId],
  );
  const content = Buffer.from(JSON.stringify(found)).toString('base64url');
  return { ...offer, content };
});

/** Any proof is right. */
export const checksNoProof: Plant = {
  server: aroundServer(async ({ deps }, request) => {
    const offerId = request.headers[HEADER.offer];
    const stream = request.headers[HEADER.stream];
    if (offerId === undefined || stream === undefined) return request;
    const proof = proofOf(deps.state.sealKey, offerId, stream).toString('base64url');
    return { ...request, headers: { ...request.headers, [HEADER.offerProof]: proof } };
  }),
};

const SHOWN = 'show_from as "showFrom", shown_at';

/** A code counts as shown since it was made. */
export const ignoresFirstShowing = changes(SHOWN, (text) =>
  text.replace('shown_at as', 'made_at as'),
);

/** Nobody was ever shown a code. */
export const forgetsFirstShowing = changes(SHOWN, (text) =>
  text.replace('shown_at as', 'null::timestamptz as'),
);

/** A begin may come ten minutes before the code instead of one. */
export const widensGrace = changes(SHOWN, (text) =>
  text.replace('shown_at as', "shown_at - interval '9 minutes' as"),
);

/** A new code counts as shown like the one before it. */
export const keepsShowing = changes('version = version + 1', (text) =>
  text.replace(', shown_at = null', ''),
);

/** The offer of a former code is as good as one of the present code. */
export const takesFormerCode = changes('(terms ->>', (text) =>
  text
    .replace(
      'code_version as "codeVersion"',
      '(select c.version from start_codes c where c.id = offers.code_id) as "codeVersion"',
    )
    .replace('replaced_at as "replacedAt"', 'null::timestamptz as "replacedAt"'),
);

/** The time that the offer promised does not bind the server. */
export const forgetsPromise = changes('(terms ->>', (text) =>
  text.replace(`(terms ->> 'passSeconds')::integer`, '0'),
);

/** A begin does not look at the student's other attempts. */
export const ignoresOtherAttempts = changes(
  'least(ended_at, deadline) as "end"',
  (text) => `${text} and false`,
);

/** The time of an attempt is longer than it was. */
export const addsMinutes = changes('trial, begin_held)', (text) =>
  text.replace('$5, $6, $7', "$5, $6::timestamptz + interval '10 minutes', $7"),
);

/** A second device is treated as the first one. */
export const mistakesSecondDevice = changes('select epoch from streams where', (text) =>
  text.replace(' and id = $2', ' and $2::uuid is not null'),
);

const KNOWN_STREAM = `with known as (
  insert into streams (attempt_id, id, epoch, created_at, last_heard_at)
  select $1::uuid, $2::uuid, 0, $6::timestamptz, $5::timestamptz where $9::text HOLD on conflict do nothing)`;

const knowsStream = (hold: string): Plant =>
  changes('insert into begins', (text) => `${KNOWN_STREAM.replace('HOLD', hold)} ${text}`);

/** Answers count although their begin is held. */
export const countsHeldBegin = knowsStream(`<> 'secondDevice'`);

/** The answers of a second device count beside those of the first one. */
export const countsSecondDevice = knowsStream(`= 'secondDevice'`);

/** The student gets the questions of a begin that is held. */
export const showsHeld = changes('begin_held as "isHeld"', (text) =>
  text.replace('begin_held as', 'false as'),
);

/** Answers go on to wait after their begin was accepted. */
export const acceptsNoAnswers = changes('update operations set received_late = $3', (text) =>
  text.replace(
    "then 'stored' else outcome",
    `then case when exists (
       select 1 from begins b where b.attempt_id = operations.attempt_id and b.decision = 'accept')
     then 'held' else 'stored' end else outcome`,
  ),
);

/** The answers of a refused begin are deleted with it. */
export const dropsRefused = changes(
  'deleted_at = coalesce(deleted_at, $2)',
  (text) => `with gone as (delete from operations where attempt_id = $1) ${text}`,
);

/** A finish that came before its begin counted ends nothing. */
export const losesEarlyFinish = changes("kind = 'finish' and outcome = 'held'", (text) =>
  text.replace("outcome = 'held'", "outcome = 'none'"),
);
