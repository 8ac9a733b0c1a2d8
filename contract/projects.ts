import * as v from 'valibot';
import { DOCUMENTATION_BYTES, LOGO_BYTES, TYPED_NAME_CHARACTERS } from './limits.ts';
import { ProjectOrder } from './orders.ts';
import { Id, IsoTime, listOf, nameOf } from './primitives.ts';
import { route } from './route.ts';
import { paging, SearchQuery } from './paging.ts';

/** Allowed types of documentation, by content. */
export const DOCUMENTATION_TYPES = [
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
] as const;

/** Whether a text is an address of the web. */
export const isWebAddress = (text: string) => {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
};

/** Whether an address names a user or a password: `https://bank.example@evil.example/` opens the latter. */
const hasUserInformation = (text: string) => {
  if (!isWebAddress(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
};

const text = (missing: string, most: number, tooLong: string) =>
  v.pipe(v.string(missing), v.trim(), v.nonEmpty(missing), v.maxLength(most, tooLong));

/** Fields of the project form with the messages of the specification (section 5). */
export const ProjectName = nameOf({
  missing: 'Пожалуйста, введите название проекта',
  most: 50,
  tooLong: 'Название проекта не должно превышать 50 символов',
});
export const ProjectShortDescription = text(
  'Пожалуйста, введите краткое описание проекта',
  150,
  'Краткое описание проекта не должно превышать 150 символов',
);
export const ProjectDescription = text(
  'Пожалуйста, введите подробное описание проекта',
  1000,
  'Подробное описание проекта не должно превышать 1000 символов',
);
/** Only http and https: no other scheme can run or open anything. */
export const ProjectLandingURL = v.pipe(
  v.string('Пожалуйста, введите корректный URL'),
  v.trim(),
  v.maxLength(2000, 'Адрес слишком длинный'),
  v.check(isWebAddress, 'Пожалуйста, введите корректный URL'),
  v.check(
    (address) => !hasUserInformation(address),
    'Уберите из адреса имя и пароль: всё до знака @',
  ),
);
/** Set from the signed-in owner. A sent name is ignored, but must not be empty. */
const OwnerName = v.optional(
  v.pipe(
    v.string(),
    v.nonEmpty('Имя владельца не заполнено'),
    v.maxLength(TYPED_NAME_CHARACTERS, 'Имя владельца слишком длинное'),
  ),
);

export const LOGO_REQUIRED = 'Пожалуйста, загрузите логотип проекта';
export const DOCUMENTATION_REQUIRED = 'Пожалуйста, загрузите документацию проекта';
export const MAX_EXTRA_PHOTOS = 3;

/** A stored file of a project; `key` opens it at `GET /api/Files/file`. */
export const ProjectFile = v.object({
  key: Id,
  name: v.string(),
  mimeType: v.string(),
  /** Bytes. */
  size: v.number(),
});
export type ProjectFile = v.InferOutput<typeof ProjectFile>;

/** One card of the showcase. */
export const ProjectListItem = v.object({
  id: Id,
  name: v.string(),
  shortDescription: v.string(),
  ownerId: Id,
  ownerName: v.string(),
  /** Mean of the ratings, 1–5; null: nobody has rated it. */
  rating: v.nullable(v.number()),
  ratingCount: v.number(),
  /** Counted once per person and day. */
  views: v.number(),
  logo: v.nullable(ProjectFile),
  createdAt: IsoTime,
  /** Removed from the showcase by an administrator: only its owner and administrators see it. */
  isHidden: v.boolean(),
});
export type ProjectListItem = v.InferOutput<typeof ProjectListItem>;

export const ProjectDetails = v.object({
  ...ProjectListItem.entries,
  description: v.string(),
  /** Empty: the project has no site. */
  landingURL: v.string(),
  documentation: v.nullable(ProjectFile),
  updatedAt: IsoTime,
  /** The caller's own rating, 1–5. */
  myRating: v.nullable(v.number()),
  isMine: v.boolean(),
  /** The owner and administrators. */
  mayEdit: v.boolean(),
});
export type ProjectDetails = v.InferOutput<typeof ProjectDetails>;

const listQuery = v.object({
  sortOrder: v.optional(ProjectOrder, 'new'),
  searchQuery: v.optional(SearchQuery, ''),
  ...paging,
});
const byProject = v.object({ id: Id });
const files = { LogoPhoto: LOGO_BYTES, Documentation: DOCUMENTATION_BYTES } as const;

export const listProjects = route({
  name: 'listProjects',
  summary: 'The showcase: projects that are not hidden',
  method: 'GET',
  path: '/api/ProjectCard/allShort',
  access: 'signedIn',
  ownership: 'none',
  query: listQuery,
  reply: listOf(ProjectListItem),
});

export const listMyProjects = route({
  name: 'listMyProjects',
  summary: 'Own projects, hidden ones too',
  method: 'GET',
  path: '/api/ProjectCard/myCards',
  access: 'signedIn',
  ownership: 'none',
  query: listQuery,
  reply: listOf(ProjectListItem),
});

/** Opening a project counts one view per person and day. */
export const getProject = route({
  name: 'getProject',
  summary: 'One project; counts a view of the caller, once a day',
  method: 'GET',
  path: '/api/ProjectCard/{id}',
  access: 'signedIn',
  ownership: 'none',
  params: byProject,
  reply: ProjectDetails,
  errors: ['NOT_FOUND'],
});

export const createProject = route({
  name: 'createProject',
  summary:
    'Add a project of the caller; replies its id. Logo and documentation are judged by content',
  method: 'POST',
  path: '/api/ProjectCard',
  access: 'signedIn',
  ownership: 'none',
  bodyType: 'form',
  body: v.strictObject({
    Name: ProjectName,
    ShortDescription: ProjectShortDescription,
    Description: ProjectDescription,
    LandingURL: v.optional(ProjectLandingURL, ''),
    OwnerName,
  }),
  files,
  reply: Id,
  errors: ['FILE_REFUSED', 'STORAGE_FULL', 'TOO_MANY_PROJECTS'],
});

/** Absent fields and files do not change; the owner never changes. */
export const updateProject = route({
  name: 'updateProject',
  summary: 'Change some fields or files of a project',
  method: 'PUT',
  path: '/api/ProjectCard',
  access: 'signedIn',
  ownership: 'bodyProjectEditor',
  bodyType: 'form',
  body: v.strictObject({
    Id,
    Name: v.optional(ProjectName),
    ShortDescription: v.optional(ProjectShortDescription),
    Description: v.optional(ProjectDescription),
    LandingURL: v.optional(ProjectLandingURL),
    OwnerName,
  }),
  files,
  reply: ProjectDetails,
  errors: ['NOT_FOUND', 'FILE_REFUSED', 'STORAGE_FULL'],
});

export const deleteProject = route({
  name: 'deleteProject',
  summary: 'Delete a project with its files, views and ratings',
  method: 'DELETE',
  path: '/api/ProjectCard/{id}',
  access: 'signedIn',
  ownership: 'projectEditor',
  confirmation: 'admin',
  params: byProject,
  bodyType: 'none',
  reply: v.object({}),
  errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
});

/** One rating per person, changed by a repeat; the owner has none. */
export const rateProject = route({
  name: 'rateProject',
  summary: 'Rate a project of somebody else, 1–5; again: change the rating',
  method: 'PUT',
  path: '/api/ProjectCard/{id}/rating',
  access: 'signedIn',
  ownership: 'none',
  params: byProject,
  body: v.strictObject({ stars: v.picklist([1, 2, 3, 4, 5], 'Оценка: от 1 до 5') }),
  reply: v.object({
    rating: v.nullable(v.number()),
    ratingCount: v.number(),
    myRating: v.nullable(v.number()),
  }),
  errors: ['NOT_FOUND', 'OWN_PROJECT'],
});

/** Base64 with types, null if there is no file (specification, section 3). */
export const getProjectFiles = route({
  name: 'getProjectFiles',
  summary: 'Logo and documentation of a project in base64',
  method: 'GET',
  path: '/api/Files/{id}/files',
  access: 'signedIn',
  ownership: 'none',
  params: byProject,
  reply: v.object({
    logo: v.nullable(v.string()),
    logoMimeType: v.nullable(v.string()),
    documentation: v.nullable(v.string()),
    documentationMimeType: v.nullable(v.string()),
  }),
  errors: ['NOT_FOUND'],
});

const state = v.picklist(['all', 'shown', 'hidden']);

export const listAdminProjects = route({
  name: 'listAdminProjects',
  summary: 'All projects, hidden ones too',
  method: 'GET',
  path: '/api/admin/projects',
  access: 'admin',
  ownership: 'none',
  query: v.object({ ...listQuery.entries, state: v.optional(state, 'all') }),
  reply: listOf(ProjectListItem),
});

export const setProjectHidden = route({
  name: 'setProjectHidden',
  summary: 'Take a project off the showcase, or put it back',
  method: 'PUT',
  path: '/api/admin/projects/{id}/hidden',
  access: 'admin',
  ownership: 'none',
  params: byProject,
  body: v.strictObject({ isHidden: v.boolean() }),
  reply: v.object({ isHidden: v.boolean() }),
  errors: ['NOT_FOUND'],
});
