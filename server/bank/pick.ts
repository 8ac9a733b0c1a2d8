import * as v from 'valibot';
import type { pickFromBank } from '#contract/bank.ts';
import { Question } from '#contract/questions.ts';
import type { BodyOf, ReplyOf } from '#contract/route.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { rows, type Client } from '#server/db/query.ts';
import { readEntries } from './entries.ts';
import { contentKey } from './entry.ts';

/** In this order, so that «any» gets the remaining ones. */
const LEVELS = ['easy', 'medium', 'hard', 'any'] as const;
type Level = (typeof LEVELS)[number];

/** Extra candidates, as some may not be ready. If many are not, more are read each time. */
const SPARE = 20;
const MAX_SPARE = 1_000;

interface Candidate {
  readonly entryId: string;
  readonly question: unknown;
  /** Its position in the order of the seed. */
  readonly place: string;
}

type PickRequest = BodyOf<typeof pickFromBank>;

/** The next candidates in the order of the seed, after a position. */
function candidates(
  db: Client,
  ownerId: string,
  { criteria, seed }: PickRequest,
  part: { level: Level; after: string; most: number; taken: readonly string[] },
): Promise<Candidate[]> {
  const { theme, topics, tags, kinds } = criteria;
  const any = (values: readonly string[]) => (values.length === 0 ? null : values);
  return rows<Candidate>(
    db,
    `select entry_id as "entryId", question, place from (
       select owner_id, entry_id, md5($2 || entry_id::text) as place from bank_entries
       where owner_id = $1 and removed_at is null
         and ($3::text is null or theme = $3) and ($4::text[] is null or topic = any($4))
         and ($5::text[] is null or tags && $5) and ($6::text[] is null or kind = any($6))
         and ($7 = 'any' or difficulty = $7) and entry_id <> all($8::uuid[])
         and md5($2 || entry_id::text) > $9
       order by place limit $10
     ) next join bank_entries e using (owner_id, entry_id) order by place`,
    [
      ownerId,
      seed,
      theme ?? null,
      any(topics),
      any(tags),
      any(kinds),
      part.level,
      part.taken,
      part.after,
      part.most,
    ],
  );
}

/** Contents of the entries that the test already contains. */
async function readContents(
  db: Client,
  ownerId: string,
  entryIds: readonly string[],
): Promise<Set<string>> {
  const found = await rows<{ question: unknown }>(
    db,
    'select question from bank_entries where owner_id = $1 and entry_id = any($2::uuid[])',
    [ownerId, entryIds],
  );
  return new Set(found.map(({ question }) => contentKey(v.parse(Question, question))));
}

/** Ids of ready entries of one difficulty, as many as wanted or available; their contents are added to `contents`. */
async function drawLevel(
  db: Client,
  ownerId: string,
  body: PickRequest,
  part: { level: Level; wanted: number; taken: readonly string[]; contents: Set<string> },
): Promise<string[]> {
  const { level, wanted, taken, contents } = part;
  const drawn: string[] = [];
  let after = '';
  for (let spare = SPARE; drawn.length < wanted; spare = Math.min(spare * 4, MAX_SPARE)) {
    const most = wanted - drawn.length + spare;
    const found = await candidates(db, ownerId, body, { level, after, most, taken });
    for (const { entryId, question: stored } of found) {
      const question = v.parse(Question, stored);
      if (drawn.length === wanted || publishingProblems([question]).length > 0) continue;
      const content = contentKey(question);
      // Another entry of the same question.
      if (contents.has(content)) continue;
      contents.add(content);
      drawn.push(entryId);
    }
    after = found.at(-1)?.place ?? after;
    if (found.length < most) break;
  }
  return drawn;
}

/**
 * Draws entries at random. The order comes from the seed and the entry's id, so the same seed draws the same entries,
 * and drawing one more does not change the others. Of entries with equal contents one is drawn.
 */
export async function pickEntries(
  db: Client,
  ownerId: string,
  body: PickRequest,
): Promise<ReplyOf<typeof pickFromBank>> {
  const picked: string[] = [];
  const contents = await readContents(db, ownerId, body.exclude);
  const shortages: ReplyOf<typeof pickFromBank>['shortages'] = [];
  for (const level of LEVELS) {
    const wanted = body.mix[level];
    if (wanted === 0) continue;
    const taken = [...body.exclude, ...picked];
    const drawn = await drawLevel(db, ownerId, body, { level, wanted, taken, contents });
    picked.push(...drawn);
    if (drawn.length < wanted) shortages.push({ difficulty: level, wanted, found: drawn.length });
  }
  return { items: await readEntries(db, ownerId, picked), shortages };
}
