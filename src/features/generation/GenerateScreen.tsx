import { Stack } from '@mantine/core';
import { FormError } from '@modular-forms/react';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import * as v from 'valibot';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { EditModes } from '#app/drafts/EditModes.tsx';
import { useFormDraft } from '#app/lib/form-draft.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { writeForm } from '#app/lib/write-form.ts';
import { bankFacetsQuery, settingsQuery } from '#app/lib/teacher-queries.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { GenerateForm } from './GenerateForm.tsx';
import {
  asksForAny,
  FIRST_SHARE,
  formOf,
  GenerationForm,
  newSeed,
  TypedGeneration,
} from './generation-form.ts';
import { TypedTemplate } from './template-form.ts';
import { generationQuery, templatesQuery } from './queries.ts';
import { TemplatePage, type EditedTemplate } from './TemplatePage.tsx';
import { useAssembly } from './use-assembly.ts';

export interface GenerateScreenProps {
  draft: DraftEditor;
  /** The person for whom an unsaved template is loaded. */
  viewerId: string;
}

function Opened({ draft, viewerId, stored }: GenerateScreenProps & { stored: GenerationForm }) {
  const [typed, setTyped] = useState(stored);
  const { restored, save } = useFormDraft(
    { kind: 'template', owner: viewerId, testId: draft.testId },
    TypedTemplate,
  );
  // Reopens a template interrupted by an expired session.
  const [edited, setEdited] = useState<EditedTemplate | null>(
    restored && { ...restored, isTyped: true },
  );
  const templates = usePageQuery(templatesQuery);
  const facets = usePageQuery(bankFacetsQuery(typed.theme === '' ? undefined : typed.theme));
  const assembly = useAssembly(draft.testId, draft.questions);
  // Lists without options are hidden: their stored values stay.
  const withStored = (values: GenerationForm) => v.parse(GenerationForm, { ...stored, ...values });
  const form = useAppForm({
    schema: TypedGeneration,
    initialValues: stored,
    onValues: (values) => setTyped(withStored(values)),
    send: (generation) => {
      if (!asksForAny(generation))
        throw new FormError<GenerationForm>('Укажите, сколько вопросов нужно, или отметьте шаблон');
      return assembly.draw(generation, templates.data?.items ?? []);
    },
  });
  const include = (templateId: string) => {
    const { chosen, shares } = withStored(form.read());
    if (chosen.includes(templateId)) return;
    const { count, perStudent } = shares[templateId] ?? FIRST_SHARE;
    writeForm(form.store, {
      [`shares.${templateId}.count`]: count,
      [`shares.${templateId}.perStudent`]: perStudent,
      chosen: [...chosen, templateId],
    });
  };
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
      typed={typed}
      facets={facets.data}
      templates={templates.data.items}
      assembly={assembly}
      onInclude={include}
      onEdit={setEdited}
    />
  );
}

/** «Подбор»: draws a test's questions from the bank and from templates. */
export function GenerateScreen({ draft, viewerId }: GenerateScreenProps) {
  const { data, problem, retry } = usePageQuery(generationQuery(draft.testId));
  const { data: test } = usePageQuery(settingsQuery(draft.testId));
  const [seed] = useState(() => newSeed());
  // Once loaded, clearing the cache must not lose the input.
  const [stored, setStored] = useState<GenerationForm | null>(null);
  if (stored === null && data) setStored(formOf(data.generation, seed));
  return (
    <Stack>
      <EditModes testId={draft.testId} mode="generate" />
      {test && test.ownerId !== viewerId && (
        <InlineNote icon={IconInfoCircle}>
          Владелец теста – {test.owner}. Подбор берёт вопросы из вашего банка и по вашим шаблонам.
        </InlineNote>
      )}
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
