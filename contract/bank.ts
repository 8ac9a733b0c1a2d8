import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { MAX_BANK_PICK, QUESTIONS_PER_FILE } from './limits.ts';
import { Id, IsoTime, listOf, NonNegativeInteger } from './primitives.ts';
import { ImportSource, Question, QuestionTopic, Tag } from './questions.ts';
import { route } from './route.ts';
import { paging, SearchQuery } from './paging.ts';
import { Difficulty, Theme } from './themes.ts';

export const QuestionKind = v.picklist(Question.options.map(({ entries }) => entries.kind.literal));
export type QuestionKind = v.InferOutput<typeof QuestionKind>;

/** A question of the bank after its last edit. */
export const BankEntry = v.object({
  /** The same in every test that uses the question. */
  entryId: Id,
  question: Question,
  /** Subject's key; empty: no subject. */
  theme: v.string(),
  /** Tests that contain it now; the newest twenty. */
  uses: v.array(v.object({ testId: Id, name: v.string() })),
  usesCount: v.number(),
  /** Mean share of the points over ended attempts of all its tests, 0 to 1; null: nobody answered yet. */
  facility: v.nullable(v.number()),
  /** Attempts that `facility` is computed from. */
  attempts: v.number(),
  updatedAt: IsoTime,
});
export type BankEntry = v.InferOutput<typeof BankEntry>;

/** `facility`: the hardest first; `uses`: the most used first. */
export const BankOrder = v.picklist(['new', 'facility', 'uses']);
export type BankOrder = v.InferOutput<typeof BankOrder>;

/** A colleague's bank; absent: the caller's own. */
const ofBank = { bankOf: v.optional(Id) };

const BankQuery = v.object({
  searchQuery: v.optional(SearchQuery, ''),
  sortOrder: v.optional(BankOrder, 'new'),
  ...paging,
  theme: v.optional(Theme),
  topic: v.optional(QuestionTopic),
  difficulty: v.optional(Difficulty),
  kind: v.optional(QuestionKind),
  tag: v.optional(Tag),
  /** Excludes the questions that this test already contains. */
  notIn: v.optional(Id),
  ...ofBank,
});

const Count = v.object({ value: v.string(), count: v.number() });
const params = v.object({ entryId: Id });

export const listBank = route({
  name: 'listBank',
  summary:
    'Questions of the caller or of a colleague who shares them, of all tests and beside them',
  method: 'GET',
  path: '/api/Bank',
  access: 'teacher',
  ownership: 'none',
  query: BankQuery,
  reply: listOf(BankEntry),
  errors: ['NOT_FOUND'],
});

export const getBankFacets = route({
  name: 'getBankFacets',
  summary:
    'What the bank can be filtered by, with counts; topics and tags of one subject where named',
  method: 'GET',
  path: '/api/Bank/facets',
  access: 'teacher',
  ownership: 'none',
  query: v.object({ theme: v.optional(Theme), ...ofBank }),
  reply: v.object({
    total: v.number(),
    themes: v.array(Count),
    topics: v.array(Count),
    difficulties: v.array(Count),
    kinds: v.array(Count),
    tags: v.array(Count),
    /** Colleagues who share their bank with the caller, by name. */
    shared: v.optional(v.array(v.object({ userId: Id, userName: v.string() })), []),
  }),
  errors: ['NOT_FOUND'],
});

export const saveBankEntry = route({
  name: 'saveBankEntry',
  summary: 'Put a question into the bank, or change one there; tests that use it keep theirs',
  method: 'PUT',
  path: '/api/Bank/{entryId}',
  access: 'teacher',
  /** An id of another teacher's question creates an entry of the caller's own. */
  ownership: 'none',
  params,
  body: v.strictObject({ question: Question, theme: v.union([Theme, v.literal('')]) }),
  reply: v.object({ updatedAt: IsoTime }),
});

export const deleteBankEntry = route({
  name: 'deleteBankEntry',
  summary: 'Take a question out of the bank; tests that use it keep theirs',
  method: 'DELETE',
  path: '/api/Bank/{entryId}',
  access: 'teacher',
  ownership: 'bankOwner',
  params,
  reply: v.object({ deleted: v.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** Filters questions. An empty list of topics, tags or kinds: any. */
export const BankCriteria = v.object({
  theme: v.optional(Theme),
  topics: v.optional(boundedList(QuestionTopic, 50), []),
  tags: v.optional(boundedList(Tag, 50), []),
  kinds: v.optional(boundedList(QuestionKind, QuestionKind.options.length), []),
});

const wanted = v.optional(v.pipe(NonNegativeInteger, v.maxValue(MAX_BANK_PICK)), 0);
/** The number of each difficulty; `any` uses the rest. */
export const DifficultyMix = v.object({
  easy: wanted,
  medium: wanted,
  hard: wanted,
  any: wanted,
});

export const pickFromBank = route({
  name: 'pickFromBank',
  summary: 'Draw questions by chance: the same seed draws the same while the bank stays as it is',
  method: 'POST',
  path: '/api/Bank/pick',
  access: 'teacher',
  ownership: 'none',
  body: v.strictObject({
    criteria: BankCriteria,
    mix: DifficultyMix,
    seed: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
    /** Entries to exclude. */
    exclude: v.optional(boundedList(Id, 2_000), []),
  }),
  reply: v.object({
    items: v.array(BankEntry),
    /** Difficulties with fewer questions in the bank than requested. */
    shortages: v.array(
      v.object({
        difficulty: v.picklist(['easy', 'medium', 'hard', 'any']),
        wanted: v.number(),
        found: v.number(),
      }),
    ),
  }),
});

export const findImported = route({
  name: 'findImported',
  summary: 'Which of the items of a file the caller’s bank has from an earlier import',
  method: 'POST',
  path: '/api/Bank/imported',
  access: 'teacher',
  ownership: 'none',
  body: v.strictObject({
    sources: boundedList(ImportSource, QUESTIONS_PER_FILE),
  }),
  reply: v.object({ sources: v.array(v.string()) }),
});
