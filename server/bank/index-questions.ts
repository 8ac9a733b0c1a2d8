import type { PoolClient } from 'pg';
import type { Question } from '#contract/questions.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { digestOf, entryOf, entryQuestion, searchTextOf } from './entry.ts';

/** A question of a test with its bank entry. */
interface IndexedQuestion {
  readonly question: Question;
  readonly entryId: string;
  readonly digest: string;
}

interface Use {
  readonly questionId: string;
  readonly entryId: string;
  readonly digest: string;
  readonly isCurrent: boolean;
}

/** The test's attributes, inherited by questions without their own. */
export interface TestAttributes {
  readonly theme: string;
  readonly topic: string;
  readonly difficulty: string;
}

const isBlank = (text: string) => text.trim() === '';

/** Forms in which entries were seen, by entry; a missing entry is in nobody's bank yet. */
async function knownForms(
  client: PoolClient,
  ownerId: string,
  entryIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  if (entryIds.length === 0) return new Map();
  const found = await rows<{ entryId: string; digests: string[] }>(
    client,
    `select e.entry_id as "entryId", e.digest || array(select u.digest from bank_uses u
       where u.owner_id = e.owner_id and u.entry_id = e.entry_id) as digests
     from bank_entries e where e.owner_id = $1 and e.entry_id = any($2)`,
    [ownerId, entryIds],
  );
  return new Map(found.map(({ entryId, digests }) => [entryId, new Set(digests)]));
}

/** Columns of an entry that come from its question. */
export function entryFields(
  question: Question,
  entryId: string,
  { topic, difficulty }: Omit<TestAttributes, 'theme'>,
) {
  return {
    entry_id: entryId,
    question: entryQuestion(question, entryId),
    topic: question.topic || topic,
    difficulty: question.difficulty ?? difficulty,
    kind: question.kind,
    tags: [...new Set(question.tags)],
    words: searchTextOf(question),
    digest: digestOf(question),
  };
}

/** Stores entries; removed ones stay removed. */
export async function writeEntries(
  client: PoolClient,
  { ownerId, theme, now }: { ownerId: string; theme: string; now: Date },
  fields: readonly ReturnType<typeof entryFields>[],
): Promise<void> {
  if (fields.length === 0) return;
  await execute(
    client,
    `insert into bank_entries (owner_id, entry_id, question, theme, topic, difficulty, kind, tags,
       words, digest, updated_at)
     select $1, entry_id, question, $2, topic, difficulty, kind, tags, words, digest, $4
     from jsonb_to_recordset($3) as given (entry_id uuid, question jsonb, topic text,
       difficulty text, kind text, tags text[], words text, digest text)
     order by entry_id
     on conflict (owner_id, entry_id) do update set question = excluded.question,
       theme = excluded.theme, topic = excluded.topic, difficulty = excluded.difficulty,
       kind = excluded.kind, tags = excluded.tags, words = excluded.words,
       digest = excluded.digest, updated_at = excluded.updated_at`,
    [ownerId, theme, JSON.stringify(fields), now],
  );
}

/** Of the changes, those with a new text: a copy of a known form changes nothing. */
async function newlyWritten(
  client: PoolClient,
  ownerId: string,
  changed: readonly IndexedQuestion[],
  uses: ReadonlyMap<string, Use>,
): Promise<IndexedQuestion[]> {
  const useOf = ({ question, entryId }: IndexedQuestion) => {
    const use = uses.get(question.questionId);
    return use?.entryId === entryId ? use : undefined;
  };
  const fresh = changed.filter((each) => !useOf(each));
  const forms = await knownForms(
    client,
    ownerId,
    fresh.map(({ entryId }) => entryId),
  );
  const written = changed.filter((each) => {
    const use = useOf(each);
    return use ? use.digest !== each.digest : !forms.get(each.entryId)?.has(each.digest);
  });
  // The first variant represents all variants; of other questions with one entry the last one counts.
  const byEntry = new Map<string, IndexedQuestion>();
  for (const each of written) {
    const known = byEntry.get(each.entryId);
    if (known === undefined || each.question.variantOf === undefined)
      byEntry.set(each.entryId, each);
  }
  return [...byEntry.values()];
}

/** Stores which question of the test is which entry, sorted, so that concurrent calls do not deadlock. */
async function storeUses(
  client: PoolClient,
  { testId, ownerId }: { testId: string; ownerId: string },
  { changed, vanished }: { changed: readonly IndexedQuestion[]; vanished: readonly string[] },
): Promise<void> {
  await execute(
    client,
    `insert into bank_uses (test_id, question_id, owner_id, entry_id, digest)
     select $1, question_id, $2, entry_id, digest
     from unnest($3::uuid[], $4::uuid[], $5::text[]) as given (question_id, entry_id, digest)
     order by question_id
     on conflict (test_id, question_id) do update set entry_id = excluded.entry_id,
       digest = excluded.digest, is_current = true`,
    [
      testId,
      ownerId,
      changed.map(({ question }) => question.questionId),
      changed.map(({ entryId }) => entryId),
      changed.map(({ digest }) => digest),
    ],
  );
  await execute(
    client,
    'update bank_uses set is_current = false where test_id = $1 and question_id = any($2)',
    [testId, vanished],
  );
}

/** The entry of a question. A question that has become its own entry remains so. */
function usedEntry(question: Question, uses: ReadonlyMap<string, Use>): string {
  const { questionId } = question;
  return uses.get(questionId)?.entryId === questionId ? questionId : entryOf(question);
}

/** A colleague's changes of a copy become a separate entry: the owner's question in the bank does not change. */
async function withoutRewriting(
  client: PoolClient,
  ownerId: string,
  indexed: readonly IndexedQuestion[],
): Promise<IndexedQuestion[]> {
  const copies = indexed.filter(({ question, entryId }) => entryId !== question.questionId);
  const forms = await knownForms(
    client,
    ownerId,
    copies.map(({ entryId }) => entryId),
  );
  return indexed.map((each) => {
    const { questionId } = each.question;
    const isNewForm = forms.get(each.entryId)?.has(each.digest) === false;
    return isNewForm && each.entryId !== questionId ? { ...each, entryId: questionId } : each;
  });
}

/**
 * Updates the owner's bank from the test's newest content or working copy, in the transaction that stores it and locks
 * the test. A question without text is not indexed yet. An entry gets the text of the last editor. An entry that the
 * test no longer has stays, and so does its use.
 * @param editorId who changed the questions; absent: nobody, they are only counted
 */
export async function indexQuestions(
  client: PoolClient,
  testId: string,
  {
    questions,
    editorId,
    now,
  }: { questions: readonly Question[]; editorId?: string | undefined; now: Date },
): Promise<void> {
  const test = await one<TestAttributes & { ownerId: string; uses: Use[] }>(
    client,
    `select t.owner_id as "ownerId", t.theme, t.topic, t.difficulty,
       coalesce((select json_agg(json_build_object('questionId', u.question_id, 'entryId', u.entry_id,
         'digest', u.digest, 'isCurrent', u.is_current)) from bank_uses u where u.test_id = t.id), '[]') as uses
     from tests t where t.id = $1`,
    [testId],
  );
  if (!test) return;
  const { ownerId } = test;
  const uses = new Map(test.uses.map((use) => [use.questionId, use]));
  const differing = questions
    .filter(({ text }) => !isBlank(text))
    .map((question) => ({
      question,
      entryId: usedEntry(question, uses),
      digest: digestOf(question),
    }))
    .filter(({ question, entryId, digest }) => {
      const use = uses.get(question.questionId);
      return !use?.isCurrent || use.digest !== digest || use.entryId !== entryId;
    });
  const changed =
    editorId === undefined || editorId === ownerId
      ? differing
      : await withoutRewriting(client, ownerId, differing);
  const there = new Set(questions.map(({ questionId }) => questionId));
  const vanished = test.uses
    .filter(({ questionId, isCurrent }) => isCurrent && !there.has(questionId))
    .map(({ questionId }) => questionId);
  if (changed.length === 0 && vanished.length === 0) return;
  const written = await newlyWritten(client, ownerId, changed, uses);
  const fields = written.map(({ question, entryId }) => entryFields(question, entryId, test));
  await writeEntries(client, { ownerId, theme: test.theme, now }, fields);
  await storeUses(client, { testId, ownerId }, { changed, vanished });
  // A question may have been used before the bank existed.
  if (changed.some(({ question }) => !uses.has(question.questionId)))
    await execute(client, 'delete from bank_figures where test_id = $1', [testId]);
}

/**
 * A new subject, topic or difficulty of a test applies to its questions too, where they had inherited the old
 * one.
 */
export async function refileQuestions(
  client: PoolClient,
  testId: string,
  { from, to }: { from: TestAttributes; to: TestAttributes },
): Promise<void> {
  if (from.theme === to.theme && from.topic === to.topic && from.difficulty === to.difficulty)
    return;
  await execute(
    client,
    // Locked in one order: tests that share questions may change their subjects concurrently.
    `with held as (
       select e.owner_id, e.entry_id from bank_entries e
       where (e.owner_id, e.entry_id) in (select u.owner_id, u.entry_id from bank_uses u
         where u.test_id = $1 and u.is_current)
       order by e.entry_id for no key update
     )
     update bank_entries e set
       theme = case when e.theme = $2 then $3 else e.theme end,
       topic = case when e.topic = $4 and coalesce(e.question ->> 'topic', '') = '' then $5
         else e.topic end,
       difficulty = case when e.difficulty = $6 and e.question ->> 'difficulty' is null then $7
         else e.difficulty end
     from held where e.owner_id = held.owner_id and e.entry_id = held.entry_id`,
    [testId, from.theme, to.theme, from.topic, to.topic, from.difficulty, to.difficulty],
  );
}
