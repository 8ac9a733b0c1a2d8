import * as v from 'valibot';
import type { PoolClient } from 'pg';
import { Question } from '#contract/questions.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { attachPictures } from '#server/files/lend.ts';
import { loadContent } from '#server/passing/content.ts';
import { recordChangedKeys } from './changed-keys.ts';
import { addContent, dropOldDrafts, sameQuestions } from './content.ts';
import type { EditableTest } from './editable.ts';

/** The unpublished questions of a test, whether or not they differ from the published ones. */
export interface StoredWorkingCopy {
  readonly draftVersion: number;
  readonly questions: readonly Question[];
  /** It differs from what the next attempt gets. */
  readonly hasUnpublished: boolean;
  readonly updatedAt: Date;
  /** Name of the last editor; null: unknown. */
  readonly updatedBy: string | null;
}

/** Without a row of its own the working copy is the newest content, and has this version. */
const FIRST_VERSION = 1;

export type DraftedTest = Pick<
  EditableTest,
  'id' | 'ownerId' | 'lifecycle' | 'contentId' | 'updatedAt' | 'updatedBy'
>;

/** Reads the working copy of a test. */
export async function readWorkingCopy(db: Client, test: DraftedTest): Promise<StoredWorkingCopy> {
  const published = async () =>
    test.contentId === null ? [] : (await loadContent(db, test.contentId)).questions;
  const row = await one<{
    version: number;
    questions: unknown;
    updatedAt: Date;
    updatedBy: string | null;
  }>(
    db,
    `select d.version, d.questions, d.updated_at as "updatedAt",
       (select user_name from users where id = d.updated_by) as "updatedBy"
     from test_drafts d where d.test_id = $1`,
    [test.id],
  );
  if (!row) {
    const { updatedAt, updatedBy } = test;
    const questions = await published();
    return {
      draftVersion: FIRST_VERSION,
      questions,
      hasUnpublished: false,
      updatedAt,
      updatedBy,
    };
  }
  const questions = v.parse(v.array(Question), row.questions);
  return {
    draftVersion: row.version,
    questions,
    // Contents of a draft are stored with it, so they need not be read.
    hasUnpublished: test.lifecycle !== 'draft' && !sameQuestions(questions, await published()),
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
  };
}

export interface StoreOptions {
  readonly questions: readonly Question[];
  readonly caller: Pick<AuthenticatedUser, 'userId' | 'role'>;
  readonly now: Date;
}

/**
 * Makes these the working copy of a locked test and attaches their pictures. Returns its new version. The bank
 * is updated with the content; without one, by this call.
 */
export async function storeWorkingCopy(
  client: PoolClient,
  test: Pick<EditableTest, 'id'>,
  { questions, caller, now }: StoreOptions,
): Promise<number> {
  const written = JSON.stringify(questions);
  const row = await one<{ version: number }>(
    client,
    `insert into test_drafts (test_id, version, questions, updated_at, updated_by)
     values ($1, $2, $3, $4, $5)
     on conflict (test_id) do update set version = test_drafts.version + 1,
       questions = excluded.questions, updated_at = excluded.updated_at,
       updated_by = excluded.updated_by
     returning version`,
    [test.id, FIRST_VERSION + 1, written, now, caller.userId],
  );
  await attachPictures(client, { testId: test.id, written, caller });
  return row?.version ?? FIRST_VERSION;
}

/** Publishes the working copy of a locked test. Returns the test's version. */
export async function publishQuestions(
  client: PoolClient,
  deps: Deps,
  test: Pick<EditableTest, 'id' | 'contentId' | 'lifecycle'>,
  { questions, caller, now }: StoreOptions,
): Promise<number> {
  await recordChangedKeys(client, deps, test, { questions, caller, now });
  await addContent(client, deps, test.id, { questions, editorId: caller.userId, now });
  await dropOldDrafts(client, test, now);
  const row = await one<{ version: number }>(
    client,
    `update tests set version = version + 1, updated_at = $2, updated_by = $3
     where id = $1 returning version`,
    [test.id, now, caller.userId],
  );
  if (!row) throw new Refusal('NOT_FOUND');
  return row.version;
}
