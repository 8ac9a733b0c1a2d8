import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { Draft } from '#app/authoring/draft/draft.ts';
import { EditModes } from '#app/authoring/EditModes.tsx';
import { useFormDraft } from '#app/lib/form-draft.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { GenerateForm } from './GenerateForm.tsx';
import { formOf, newSeed, type GenerationForm } from './generation-form.ts';
import { TypedTemplate } from './template-form.ts';
import { facetsQuery, generationQuery, templatesQuery } from './queries.ts';
import { TemplatePage, type EditedTemplate } from './TemplatePage.tsx';
import { useAssembly } from './use-assembly.ts';

export interface GenerateScreenProps {
  draft: Draft;
  /** Whose unsaved template is loaded. */
  viewerId: string;
}

function Opened({ draft, viewerId, stored }: GenerateScreenProps & { stored: GenerationForm }) {
  const [form, setForm] = useState(stored);
  const { restored, save } = useFormDraft(
    { kind: 'template', owner: viewerId, testId: draft.testId },
    TypedTemplate,
  );
  // Reopens a template interrupted by an expired session.
  const [edited, setEdited] = useState<EditedTemplate | null>(
    restored && { ...restored, isTyped: true },
  );
  const templates = usePageQuery(templatesQuery);
  const facets = usePageQuery(facetsQuery(form.theme));
  const assembly = useAssembly(draft.testId, draft.questions);
  const change = (part: Partial<GenerationForm>) => setForm((now) => ({ ...now, ...part }));
  const include = (templateId: string) =>
    setForm((now) =>
      now.templates.some((chosen) => chosen.templateId === templateId)
        ? now
        : { ...now, templates: [...now.templates, { templateId, count: '5', perStudent: false }] },
    );
  if (edited) {
    return (
      <TemplatePage
        key={edited.templateId}
        edited={edited}
        onClose={() => setEdited(null)}
        onSaved={(templateId) => {
          if (edited.version === 0) include(templateId);
          setEdited(null);
        }}
        onSignedOut={save}
      />
    );
  }
  const problem = templates.problem ?? facets.problem;
  if (problem !== null && !(templates.data && facets.data)) {
    const retry = () => {
      templates.retry();
      facets.retry();
    };
    return <QueryProblem error={problem} onRetry={retry} />;
  }
  if (!templates.data || !facets.data) return <RowsSkeleton />;
  return (
    <GenerateForm
      draft={draft}
      form={form}
      facets={facets.data}
      templates={templates.data.items}
      assembly={assembly}
      onChange={change}
      onInclude={include}
      onEdit={setEdited}
    />
  );
}

/** «Подбор»: draws a test's questions from the bank and from templates. */
export function GenerateScreen({ draft, viewerId }: GenerateScreenProps) {
  const { data, problem, retry } = usePageQuery(generationQuery(draft.testId));
  const [seed] = useState(() => newSeed());
  // Once loaded, clearing the cache must not lose the input.
  const [stored, setStored] = useState<GenerationForm | null>(null);
  if (stored === null && data) setStored(formOf(data.generation, seed));
  return (
    <Stack>
      <EditModes testId={draft.testId} mode="generate" />
      {stored ? (
        <Opened draft={draft} viewerId={viewerId} stored={stored} />
      ) : problem === null ? (
        <RowsSkeleton />
      ) : (
        <QueryProblem error={problem} onRetry={retry} />
      )}
    </Stack>
  );
}
