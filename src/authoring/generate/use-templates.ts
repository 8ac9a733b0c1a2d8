import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { StaleVersionDetails } from '#contract/errors.ts';
import {
  deleteTemplate,
  saveTemplate,
  type QuestionTemplate,
  type TemplateBody,
} from '#contract/templates.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { templatesQuery } from './queries.ts';

/** A template as it is sent: version 0 makes one. */
export type SentTemplate = Pick<QuestionTemplate, 'templateId' | 'version' | 'body'>;

/** The list as the server has it now; a failed reading keeps the one that is shown. */
function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: templatesQuery.queryKey });
}

/** Makes or changes a template; the list knows it before anybody is told of success. */
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

/** The version that somebody else stored meanwhile; null: that is not why it failed. */
export function staleVersion(error: unknown): number | null {
  if (!(error instanceof ApiFailure) || error.code !== 'STALE_VERSION') return null;
  const details = v.safeParse(StaleVersionDetails, error.details);
  return details.success ? details.output.version : null;
}

const COPY = ' (копия)';
const TITLE_MOST = 200;

/** The same template under another name. */
export const copyOf = (body: TemplateBody): TemplateBody => ({
  ...body,
  title: `${body.title.slice(0, TITLE_MOST - COPY.length)}${COPY}`,
});
