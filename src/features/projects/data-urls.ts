import type { ReplyOf } from '#contract/route.ts';
import type { getProjectFiles } from '#contract/projects.ts';

/** Files of a project as data URLs; null: there is none. */
export interface ProjectFileUrls {
  logo: string | null;
  documentation: string | null;
}

const dataUrl = (base64: string | null, mimeType: string | null) =>
  base64 === null || mimeType === null ? null : `data:${mimeType};base64,${base64}`;

/** Base64 strings of the reply turned into data URLs (specification, section 3). */
export const dataUrls = (files: ReplyOf<typeof getProjectFiles>): ProjectFileUrls => ({
  logo: dataUrl(files.logo, files.logoMimeType),
  documentation: dataUrl(files.documentation, files.documentationMimeType),
});
