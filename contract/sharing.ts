import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { Id, listOf } from './primitives.ts';
import { route } from './route.ts';

/** What a colleague may do with a test; each level includes the previous ones. */
export const ShareLevel = v.picklist(['results', 'grade', 'edit']);
export type ShareLevel = v.InferOutput<typeof ShareLevel>;

/** What the caller may do; `owner` also shares and deletes, and every admin does. */
export const AccessLevel = v.picklist(['results', 'grade', 'edit', 'owner']);
export type AccessLevel = v.InferOutput<typeof AccessLevel>;

/** Maximum number of colleagues who share one test, class or bank. */
export const MAX_SHARES = 50;

const Colleague = v.object({ userId: Id, userName: v.string(), level: ShareLevel });
export type Colleague = v.InferOutput<typeof Colleague>;

/** The owner, and the colleagues by name. */
const Shares = v.object({ ...listOf(Colleague).entries, ownerId: Id });
export type Shares = v.InferOutput<typeof Shares>;

/** Only the differences: changes that somebody else makes meanwhile stay. */
const changes = <const Level extends ShareLevel>(levels: readonly [Level, ...Level[]]) =>
  v.strictObject({
    /** New colleagues, and those with another level. */
    given: v.pipe(
      boundedList(
        v.strictObject({ userId: Id, level: v.picklist(levels) }),
        MAX_SHARES,
        `Не больше ${MAX_SHARES} коллег`,
      ),
      v.check(
        (shares) => new Set(shares.map(({ userId }) => userId)).size === shares.length,
        'Коллеги в списке повторяются',
      ),
    ),
    /** Colleagues who lose access. */
    taken: boundedList(Id, MAX_SHARES),
  });

const byTest = v.object({ id: Id });
const byGroup = v.object({ groupId: Id });

export const getTestShares = route({
  name: 'getTestShares',
  summary: 'Colleagues with whom the test is shared',
  method: 'GET',
  path: '/api/Test/{id}/shares',
  access: 'teacher',
  ownership: 'testOwner',
  params: byTest,
  reply: Shares,
  errors: ['NOT_FOUND'],
});

export const changeTestShares = route({
  name: 'changeTestShares',
  summary: 'Share a test with colleagues: to see results, to grade, or to edit',
  method: 'POST',
  path: '/api/Test/{id}/shares',
  access: 'teacher',
  ownership: 'testOwner',
  params: byTest,
  body: changes(['results', 'grade', 'edit']),
  reply: Shares,
  errors: ['NOT_FOUND'],
});

export const getGroupShares = route({
  name: 'getGroupShares',
  summary: 'Colleagues who manage the class, too',
  method: 'GET',
  path: '/api/groups/{groupId}/shares',
  access: 'teacher',
  ownership: 'groupOwner',
  params: byGroup,
  reply: Shares,
  errors: ['NOT_FOUND'],
});

export const changeGroupShares = route({
  name: 'changeGroupShares',
  summary: 'Manage a class together with colleagues',
  method: 'POST',
  path: '/api/groups/{groupId}/shares',
  access: 'teacher',
  ownership: 'groupOwner',
  params: byGroup,
  body: changes(['edit']),
  reply: Shares,
  errors: ['NOT_FOUND'],
});

export const getBankShares = route({
  name: 'getBankShares',
  summary: 'Colleagues who may use the caller’s bank',
  method: 'GET',
  path: '/api/Bank/shares',
  access: 'teacher',
  ownership: 'none',
  reply: Shares,
});

export const changeBankShares = route({
  name: 'changeBankShares',
  summary: 'Let colleagues see the caller’s bank and take questions from it',
  method: 'POST',
  path: '/api/Bank/shares',
  access: 'teacher',
  ownership: 'none',
  body: changes(['results']),
  reply: Shares,
});
