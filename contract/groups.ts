import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { MAX_GROUP_MEMBERS } from './limits.ts';
import { Id, IsoTime, listOf, nameOf } from './primitives.ts';
import { route } from './route.ts';
import { paging, SearchQuery } from './paging.ts';

/** A class. Teachers manage their own and those that colleagues share with them, admins all. */
export const Group = v.object({
  groupId: Id,
  name: v.string(),
  ownerId: Id,
  owner: v.string(),
  /** `edit`: a colleague's class. */
  level: v.optional(v.picklist(['edit', 'owner']), 'owner'),
  memberCount: v.number(),
  /** Null: nobody can join by code. */
  joinCode: v.nullable(v.string()),
  createdAt: IsoTime,
});
export type Group = v.InferOutput<typeof Group>;

export const GroupMember = v.object({
  userId: Id,
  userName: v.string(),
  /** The student's sign-in name; empty if the caller may not see it. */
  email: v.string(),
  via: v.picklist(['code', 'generated', 'picked']),
  /** Whether this caller may reset the password. */
  mayResetPassword: v.boolean(),
});
export type GroupMember = v.InferOutput<typeof GroupMember>;

/** Printed on a student's card. The password is shown only this once. */
export const StudentCard = v.object({
  userId: Id,
  userName: v.string(),
  email: v.string(),
  password: v.string(),
});
export type StudentCard = v.InferOutput<typeof StudentCard>;

export const GroupName = nameOf({
  missing: 'Введите название класса',
  most: 100,
  tooLong: 'Название не длиннее 100 символов',
});
/** One line of the list of new students. */
export const StudentName = nameOf({
  missing: 'Введите имя ученика',
  most: 100,
  tooLong: 'Имя не длиннее 100 символов',
});

/** As typed: lower or upper case, with or without the dash, in either keyboard layout. */
export const JoinCode = v.pipe(
  v.string('Введите код класса'),
  v.trim(),
  v.nonEmpty('Введите код класса'),
  v.maxLength(20, 'Код слишком длинный'),
);

/** Maximum number of student accounts created by one call. */
export const STUDENTS_AT_ONCE = 60;

const byGroup = v.object({ groupId: Id });
const byMember = v.object({ groupId: Id, userId: Id });
const ofGroup = { access: 'teacher', ownership: 'groupEditor' } as const;

export const listGroups = route({
  name: 'listGroups',
  summary: 'Classes of the caller, and those shared with the caller; admins: all',
  method: 'GET',
  path: '/api/groups',
  access: 'teacher',
  ownership: 'none',
  query: v.object({ searchQuery: v.optional(SearchQuery, ''), ...paging }),
  reply: listOf(Group),
});

export const createGroup = route({
  name: 'createGroup',
  summary: 'Make a class with a join code',
  method: 'POST',
  path: '/api/groups',
  access: 'teacher',
  ownership: 'none',
  body: v.strictObject({ name: GroupName }),
  reply: Group,
});

export const getGroup = route({
  name: 'getGroup',
  summary: 'A class with its members, by surname',
  method: 'GET',
  path: '/api/groups/{groupId}',
  ...ofGroup,
  params: byGroup,
  reply: v.object({
    ...Group.entries,
    members: v.array(GroupMember),
    /** Tests that are assigned to the class, and would lose the assignment with its deletion. */
    assignedTests: v.number(),
  }),
  errors: ['NOT_FOUND'],
});

export const updateGroup = route({
  name: 'updateGroup',
  summary: 'Rename a class',
  method: 'PUT',
  path: '/api/groups/{groupId}',
  ...ofGroup,
  params: byGroup,
  body: v.strictObject({ name: GroupName }),
  reply: Group,
  errors: ['NOT_FOUND'],
});

export const deleteGroup = route({
  name: 'deleteGroup',
  summary: 'Delete a class; its students and their attempts stay',
  method: 'DELETE',
  path: '/api/groups/{groupId}',
  ...ofGroup,
  ownership: 'groupOwner',
  confirmation: 'admin',
  params: byGroup,
  reply: v.object({}),
  errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
});

export const setJoinCode = route({
  name: 'setJoinCode',
  summary: 'Make a new join code (the old one ends), or turn joining off',
  method: 'POST',
  path: '/api/groups/{groupId}/join-code',
  ...ofGroup,
  params: byGroup,
  body: v.strictObject({ enabled: v.boolean() }),
  reply: v.object({ joinCode: v.nullable(v.string()) }),
  errors: ['NOT_FOUND'],
});

export const addMembers = route({
  name: 'addMembers',
  summary: 'Add students that have accounts; who is in already stays as he is',
  method: 'POST',
  path: '/api/groups/{groupId}/members',
  ...ofGroup,
  params: byGroup,
  body: v.strictObject({
    userIds: v.pipe(
      boundedList(Id, MAX_GROUP_MEMBERS, `В классе не больше ${MAX_GROUP_MEMBERS} учеников`),
      v.minLength(1, 'Выберите хотя бы одного ученика'),
    ),
  }),
  reply: v.object({ added: v.number() }),
  errors: ['NOT_FOUND', 'GROUP_FULL'],
});

export const removeMember = route({
  name: 'removeMember',
  summary: 'Take a student out of a class; the account and its attempts stay',
  method: 'DELETE',
  path: '/api/groups/{groupId}/members/{userId}',
  ...ofGroup,
  params: byMember,
  reply: v.object({}),
  errors: ['NOT_FOUND'],
});

export const createPupils = route({
  name: 'createPupils',
  summary: 'Make accounts for students without e-mail, with sign-ins and passwords for their cards',
  method: 'POST',
  path: '/api/groups/{groupId}/pupils',
  ...ofGroup,
  params: byGroup,
  body: v.strictObject({
    /** A repeat with the same key creates nobody again: the reply is 409 EMAIL_TAKEN. */
    key: Id,
    names: v.pipe(
      boundedList(StudentName, STUDENTS_AT_ONCE, `Не больше ${STUDENTS_AT_ONCE} учеников за раз`),
      v.minLength(1, 'Введите хотя бы одно имя'),
    ),
  }),
  reply: listOf(StudentCard),
  errors: ['NOT_FOUND', 'GROUP_FULL', 'EMAIL_TAKEN'],
});

export const resetPupilPassword = route({
  name: 'resetPupilPassword',
  summary: 'A new password for one’s own student; his sign-ins elsewhere end',
  method: 'POST',
  path: '/api/groups/{groupId}/members/{userId}/password',
  ...ofGroup,
  params: byMember,
  bodyType: 'none',
  reply: StudentCard,
  errors: ['NOT_FOUND', 'PASSWORD_NOT_YOURS'],
});

export const lookUpJoinCode = route({
  name: 'lookUpJoinCode',
  summary: 'Which class a join code belongs to, before joining it',
  method: 'GET',
  path: '/api/groups/join',
  access: 'signedIn',
  ownership: 'none',
  query: v.object({ code: JoinCode }),
  reply: v.object({ groupId: Id, name: v.string(), owner: v.string(), isMember: v.boolean() }),
  errors: ['WRONG_JOIN_CODE', 'TOO_MANY_LOGINS'],
});

export const joinGroup = route({
  name: 'joinGroup',
  summary: 'Join a class by its code',
  method: 'POST',
  path: '/api/groups/join',
  access: 'signedIn',
  ownership: 'none',
  body: v.strictObject({ code: JoinCode }),
  reply: v.object({ groupId: Id, name: v.string() }),
  errors: ['WRONG_JOIN_CODE', 'ALREADY_MEMBER', 'GROUP_FULL', 'TOO_MANY_LOGINS'],
});
