import * as v from 'valibot';
import {
  type createProject,
  DOCUMENTATION_REQUIRED,
  MAX_EXTRA_PHOTOS,
  LOGO_REQUIRED,
  ProjectDescription,
  type ProjectDetails,
  ProjectLandingURL,
  ProjectName,
  ProjectShortDescription,
  type updateProject,
} from '#contract/projects.ts';
import type { CallInput } from '#contract/route.ts';

/** Values of the project form. `projectPhoto` is picked and shown, but never sent. */
export type ProjectValues = {
  name: string;
  shortDescription: string;
  description: string;
  landingURL: string;
  logoPhoto: File | undefined;
  documentation: File | undefined;
  projectPhoto: File[];
};

const texts = {
  name: ProjectName,
  shortDescription: ProjectShortDescription,
  description: ProjectDescription,
  landingURL: ProjectLandingURL,
};
/** A narrow screen has no such field. */
const projectPhoto = v.optional(
  v.pipe(v.array(v.instance(File)), v.maxLength(MAX_EXTRA_PHOTOS)),
  [],
);

/** A new project needs both files. */
export const NewProjectForm = v.object({
  ...texts,
  logoPhoto: v.instance(File, LOGO_REQUIRED),
  documentation: v.instance(File, DOCUMENTATION_REQUIRED),
  projectPhoto,
});

/** A file of an edited project stays unless another one is picked. */
export const ChangedProjectForm = (has: { logo: boolean; documentation: boolean }) =>
  v.object({
    ...texts,
    logoPhoto: has.logo ? v.optional(v.instance(File)) : NewProjectForm.entries.logoPhoto,
    documentation: has.documentation
      ? v.optional(v.instance(File))
      : NewProjectForm.entries.documentation,
    projectPhoto,
  });

type Saved = v.InferOutput<ReturnType<typeof ChangedProjectForm>>;

/** Initial values: empty, or those of the project. */
export const initialValues = (project: ProjectDetails | null): ProjectValues => ({
  name: project?.name ?? '',
  shortDescription: project?.shortDescription ?? '',
  description: project?.description ?? '',
  landingURL: project?.landingURL ?? '',
  logoPhoto: undefined,
  documentation: undefined,
  projectPhoto: [],
});

const filesOf = ({ logoPhoto, documentation }: Saved) => ({
  ...(logoPhoto && { LogoPhoto: logoPhoto }),
  ...(documentation && { Documentation: documentation }),
});

/** Request body of a new project. */
export const newProjectInput = (
  values: Saved,
  userName: string,
): CallInput<typeof createProject> => ({
  body: {
    Name: values.name,
    ShortDescription: values.shortDescription,
    Description: values.description,
    LandingURL: values.landingURL,
    OwnerName: userName,
  },
  files: filesOf(values),
});

/** Request body of an edit: only changed fields. Null: none. */
export function changesInput(
  project: ProjectDetails,
  values: Saved,
  userName: string,
): CallInput<typeof updateProject> | null {
  const changed = {
    ...(values.name !== project.name && { Name: values.name }),
    ...(values.shortDescription !== project.shortDescription && {
      ShortDescription: values.shortDescription,
    }),
    ...(values.description !== project.description && { Description: values.description }),
    ...(values.landingURL !== project.landingURL && { LandingURL: values.landingURL }),
  };
  const files = filesOf(values);
  if (Object.keys(changed).length + Object.keys(files).length === 0) return null;
  return { body: { Id: project.id, ...changed, OwnerName: userName }, files };
}

/** Fields of the form by their names on the wire. */
const FIELDS: Readonly<Record<string, keyof ProjectValues>> = {
  Name: 'name',
  ShortDescription: 'shortDescription',
  Description: 'description',
  LandingURL: 'landingURL',
  LogoPhoto: 'logoPhoto',
  Documentation: 'documentation',
};

/** The form field named by a refusal, with or without a path prefix. */
export const fieldOfWire = (name: string): keyof ProjectValues | undefined =>
  FIELDS[name.split('.').at(-1) ?? ''];
