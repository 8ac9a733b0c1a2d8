import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  deleteTemplate,
  saveTemplate,
  type QuestionTemplate,
  type TemplateBody,
} from '#contract/templates.ts';
import { call } from '#app/api/call.ts';
import { templatesQuery } from './queries.ts';

/** A template to save: version 0 creates one. */
export type SentTemplate = Pick<QuestionTemplate, 'templateId' | 'version' | 'body'>;

/** Refetches the list; on failure the shown one stays. */
function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: templatesQuery.queryKey });
}

/** Creates or updates a template; the list is refreshed before success is reported. */
export function useSaveTemplate() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ templateId, version, body }: SentTemplate) => {
      const stored = await call(saveTemplate, { params: { templateId }, body: { version, body } });
      return { templateId, version: stored.version };
    },
    onSuccess: refresh,
  });
}

export function useDeleteTemplate() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (templateId: string) => call(deleteTemplate, { params: { templateId } }),
    onSuccess: refresh,
  });
}

const COPY = ' (копия)';
const MAX_TITLE_LENGTH = 200;

/** The same template under another name. */
export const copyOf = (body: TemplateBody): TemplateBody => ({
  ...body,
  title: `${body.title.slice(0, MAX_TITLE_LENGTH - COPY.length)}${COPY}`,
});
