import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { QUESTION_ROWS_PER_TEST, TEST_BODY_BYTES } from './limits.ts';
import { Id, IsoTime, PositiveInteger } from './primitives.ts';
import { Question } from './questions.ts';
import { route } from './route.ts';
import { TestLifecycle } from './tests.ts';

/** The working copy of a test's questions: unpublished edits. Attempts get it once it is published. */
export const TestDraft = v.object({
  testId: Id,
  /** Rises with every stored edit of the working copy, independent of the test's `version`. */
  draftVersion: v.number(),
  questions: v.array(Question),
  /** The working copy differs from what the next attempt gets. Always false for a test that is a draft. */
  hasUnpublished: v.boolean(),
  lifecycle: TestLifecycle,
  updatedAt: IsoTime,
  /** Name of the last editor; null: unknown. */
  updatedBy: v.nullable(v.string()),
});
export type TestDraft = v.InferOutput<typeof TestDraft>;

const params = v.object({ id: Id });
const draftVersion = PositiveInteger;
const Stored = v.object({ draftVersion: v.number(), updatedAt: IsoTime });

export const getDraft = route({
  name: 'getDraft',
  summary: 'The working copy of a test’s questions, with keys',
  method: 'GET',
  path: '/api/Test/{id}/draft',
  access: 'teacher',
  ownership: 'testEditor',
  params,
  reply: TestDraft,
  errors: ['NOT_FOUND'],
});

export const getDraftVersion = route({
  name: 'getDraftVersion',
  summary: 'Whether somebody changed the working copy since',
  method: 'GET',
  path: '/api/Test/{id}/draft/version',
  access: 'teacher',
  ownership: 'testEditor',
  params,
  reply: v.object({
    draftVersion: v.number(),
    updatedAt: IsoTime,
    updatedBy: v.nullable(v.string()),
    lifecycle: TestLifecycle,
    hasUnpublished: v.boolean(),
  }),
  errors: ['NOT_FOUND'],
});

/** Only changes are sent: `order` names every resulting question, `changed` contains new and edited ones completely. */
const SaveDraftBody = v.strictObject({
  draftVersion,
  order: boundedList(Id, QUESTION_ROWS_PER_TEST),
  changed: boundedList(Question, QUESTION_ROWS_PER_TEST),
});

export const saveDraft = route({
  name: 'saveDraft',
  summary:
    'Store the working copy; a stale version is refused. The questions of a test that is a draft follow at once',
  method: 'PUT',
  path: '/api/Test/{id}/draft',
  access: 'teacher',
  ownership: 'testEditor',
  params,
  bodyBytes: TEST_BODY_BYTES,
  body: SaveDraftBody,
  reply: Stored,
  /** UNKNOWN_QUESTION: `order` names one that is neither stored nor sent. */
  errors: ['NOT_FOUND', 'STALE_VERSION', 'UNKNOWN_QUESTION'],
});

export const publishDraft = route({
  name: 'publishDraft',
  summary: 'The working copy becomes what the next attempts get; running ones keep theirs',
  method: 'POST',
  path: '/api/Test/{id}/draft/publish',
  access: 'teacher',
  ownership: 'testEditor',
  params,
  body: v.strictObject({ draftVersion }),
  reply: v.object({ ...Stored.entries, version: v.number() }),
  errors: ['NOT_FOUND', 'STALE_VERSION', 'TEST_NOT_READY'],
});

export const discardDraft = route({
  name: 'discardDraft',
  summary: 'The working copy goes back to what is published',
  method: 'POST',
  path: '/api/Test/{id}/draft/discard',
  access: 'teacher',
  ownership: 'testEditor',
  params,
  body: v.strictObject({ draftVersion }),
  reply: Stored,
  errors: ['NOT_FOUND', 'STALE_VERSION'],
});
