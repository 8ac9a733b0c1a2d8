import type { PoolClient } from 'pg';
import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { digestOf } from '#server/bank/entry.ts';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { PICTURE_LINK, pictureKeys } from '#server/files/lend.ts';
import { isTimed, storedForm, withMixedRight } from './stored-form.ts';

/** Null: missing, or from an incompatible version. */
function readQuestions(stored: unknown): Question[] | null {
  const read = v.safeParse(v.array(Question), stored);
  return read.success ? read.output : null;
}

const said = (questions: readonly Question[]): string => JSON.stringify(questions);

/** Pictures of parts whose keys reveal their order: old key → key of the same picture. */
type NewKeys = Map<string, string>;

interface ConversionContext extends Pick<Deps, 'newId' | 'clock'> {
  readonly client: PoolClient;
  readonly newKeys: NewKeys;
}

const withPictures = (text: string, newKeys: NewKeys): string =>
  text.replaceAll(PICTURE_LINK, (_, key: string) => `file:${newKeys.get(key) ?? key}`);

/** The question with other keys for its parts' pictures. */
function withPartPictures(question: Question, newKeys: NewKeys): Question {
  const withNewKeys = <P extends { text: string }>(parts: readonly P[]): P[] =>
    parts.map((part) => ({ ...part, text: withPictures(part.text, newKeys) }));
  if (question.kind === 'variant') return { ...question, options: withNewKeys(question.options) };
  if (question.kind === 'ordering') return { ...question, items: withNewKeys(question.items) };
  if (question.kind !== 'compliance') return question;
  return { ...question, left: withNewKeys(question.left), right: withNewKeys(question.right) };
}

function partTexts(question: Question): string[] {
  if (question.kind === 'variant') return question.options.map(({ text }) => text);
  if (question.kind === 'ordering') return question.items.map(({ text }) => text);
  if (question.kind !== 'compliance') return [];
  return [...question.left, ...question.right].map(({ text }) => text);
}

/** Copies pictures whose keys reveal when they were sent: running attempts still show them by the old keys. */
async function copyPictures(
  { client, newKeys }: ConversionContext,
  questions: readonly Question[],
) {
  const keys = pictureKeys(questions.flatMap(partTexts).join('\n'));
  const timed = keys.filter((key) => isTimed(key) && !newKeys.has(key));
  if (timed.length === 0) return;
  const copied = await rows<{ old: string; fresh: string }>(
    client,
    `with named as (
       select key as old, gen_random_uuid() as fresh from pictures where key = any($1::uuid[])
     ), copied as (
       insert into pictures (key, test_id, owner_id, mime_type, bytes, created_at)
       select named.fresh, p.test_id, p.owner_id, p.mime_type, p.bytes, p.created_at
       from named join pictures p on p.key = named.old
     )
     select old, fresh from named`,
    [timed],
  );
  for (const { old, fresh } of copied) newKeys.set(old, fresh);
  await execute(
    client,
    `insert into picture_uses (key, test_id)
     select c.fresh, u.test_id from unnest($1::uuid[], $2::uuid[]) as c (old, fresh)
       join picture_uses u on u.key = c.old`,
    [copied.map(({ old }) => old), copied.map(({ fresh }) => fresh)],
  );
}

/** The questions in their stored form, with new keys of pictures too. */
async function remade(
  mixing: ConversionContext,
  questions: readonly Question[],
): Promise<Question[]> {
  await copyPictures(mixing, questions);
  return questions.map((question) => withPartPictures(storedForm(question), mixing.newKeys));
}

/**
 * What the next attempts pin, where part ids reveal their order: a content with other ids. The old one stays
 * for its attempts: devices may still send answers with its ids.
 */
async function replaceContent(
  mixing: ConversionContext,
  { testId, contentId }: { testId: string; contentId: string },
): Promise<void> {
  const { client, newId, clock } = mixing;
  const copies = await rows<{ id: string; questions: unknown }>(
    client,
    `select id, questions from test_contents where id = $1 or drawn_from = $1
     order by id = $1 desc`,
    [contentId],
  );
  const freshId = newId();
  for (const { id, questions } of copies)
    await execute(
      client,
      `insert into test_contents (id, test_id, questions, max_points, asked, created_at, drawn_from,
         drawn_number, draws_given)
       select $2, test_id, $3, max_points, asked, $4,
         case when drawn_from is null then null else $5::uuid end, drawn_number, draws_given
       from test_contents where id = $1`,
      [
        id,
        id === contentId ? freshId : newId(),
        said(await remade(mixing, readQuestions(questions) ?? [])),
        clock(),
        freshId,
      ],
    );
  await execute(client, 'update tests set content_id = $2 where id = $1', [testId, freshId]);
}

/** The bank identifies a question by the digest of its form, which has changed. */
async function moveDigests(
  { client }: ConversionContext,
  testId: string,
  changes: readonly { readonly from: Question; readonly to: Question }[],
): Promise<void> {
  const moved = changes
    .map(({ from, to }) => ({ id: from.questionId, from: digestOf(from), to: digestOf(to) }))
    .filter(({ from, to }) => from !== to);
  await execute(
    client,
    `update bank_uses u set digest = m.new
     from unnest($2::uuid[], $3::text[], $4::text[]) as m (id, old, new)
     where u.test_id = $1 and u.question_id = m.id and u.digest = m.old`,
    [testId, moved.map(({ id }) => id), moved.map(({ from }) => from), moved.map(({ to }) => to)],
  );
}

/** A test's newest content and its working copy. */
async function mixTest(mixing: ConversionContext, testId: string): Promise<void> {
  const { client } = mixing;
  const test = await one<{ contentId: string | null; content: unknown; draft: unknown }>(
    client,
    `select t.content_id as "contentId", c.questions as content, d.questions as draft
     from tests t left join test_contents c on c.id = t.content_id
       left join test_drafts d on d.test_id = t.id
     where t.id = $1`,
    [testId],
  );
  const content = readQuestions(test?.content);
  const draft = readQuestions(test?.draft);
  if (test?.contentId && content) {
    const fresh = await remade(mixing, content);
    if (said(fresh) !== said(content.map(withMixedRight)))
      await replaceContent(mixing, { testId, contentId: test.contentId });
  }
  const typed = draft ?? content ?? [];
  const mixed = await remade(mixing, typed);
  if (draft)
    await execute(client, 'update test_drafts set questions = $2 where test_id = $1', [
      testId,
      said(mixed),
    ]);
  const changes = typed.map((from, index) => ({ from, to: mixed[index] ?? from }));
  await moveDigests(mixing, testId, changes);
}

/** Reorders right columns of contents; the ids of their parts stay. */
async function mixContent(client: PoolClient, id: string): Promise<void> {
  const row = await one<{ questions: unknown }>(
    client,
    'select questions from test_contents where id = $1',
    [id],
  );
  const questions = readQuestions(row?.questions);
  if (questions === null) return;
  await execute(client, 'update test_contents set questions = $2 where id = $1', [
    id,
    said(questions.map(withMixedRight)),
  ]);
}

async function mixEntry(
  mixing: ConversionContext,
  { ownerId, entryId }: { ownerId: string; entryId: string },
): Promise<void> {
  const row = await one<{ question: unknown; digest: string }>(
    mixing.client,
    'select question, digest from bank_entries where owner_id = $1 and entry_id = $2',
    [ownerId, entryId],
  );
  const read = v.safeParse(Question, row?.question);
  if (!row || !read.success) return;
  const [mixed = read.output] = await remade(mixing, [read.output]);
  const isKnown = row.digest === digestOf(read.output);
  await execute(
    mixing.client,
    'update bank_entries set question = $3, digest = $4 where owner_id = $1 and entry_id = $2',
    [ownerId, entryId, JSON.stringify(mixed), isKnown ? digestOf(mixed) : row.digest],
  );
}

/**
 * Converts what older versions stored to `storedForm`, once per database, before requests are served: the right
 * columns of all contents, and for later attempts the ids of parts and of their pictures.
 */
export function mixStoredQuestions(deps: Pick<Deps, 'pool' | 'newId' | 'clock'>): Promise<void> {
  return transaction(deps.pool, (client) => mixOnce(client, deps));
}

async function mixOnce(client: PoolClient, deps: Pick<Deps, 'newId' | 'clock'>): Promise<void> {
  // Of several servers that start at once one converts, the others wait here.
  const state = await one<{ isMixed: boolean }>(
    client,
    'select questions_mixed as "isMixed" from server_state for update',
  );
  if (state?.isMixed !== false) return;
  const mixing = { client, newId: deps.newId, clock: deps.clock, newKeys: new Map() };
  const tests = await rows<{ id: string }>(client, 'select id from tests order by id');
  for (const { id } of tests) await mixTest(mixing, id);
  const contents = await rows<{ id: string }>(
    client,
    `select id from test_contents where questions @> '[{"kind": "compliance"}]'`,
  );
  for (const { id } of contents) await mixContent(client, id);
  const entries = await rows<{ ownerId: string; entryId: string }>(
    client,
    `select owner_id as "ownerId", entry_id as "entryId" from bank_entries
     where kind in ('variant', 'compliance')`,
  );
  for (const entry of entries) await mixEntry(mixing, entry);
  // A question sent again by an editor gets the new key, which reveals nothing.
  await execute(
    client,
    `update pictures set digest = null where substr(key::text, 15, 1) = '7' and digest is not null`,
  );
  await execute(client, 'update server_state set questions_mixed = true');
}
