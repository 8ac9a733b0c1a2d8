import { useEffect, useState } from 'react';
import type { Draft } from '#app/authoring/draft/draft.ts';
import { EditModes } from '#app/authoring/EditModes.tsx';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import classes from './generate.module.css';
import { GenerateForm } from './GenerateForm.tsx';
import { formOf, newSeed, type GenerationForm } from './generation-form.ts';
import { templateKeeper } from './kept-template.ts';
import { facetsQuery, generationQuery, templatesQuery } from './queries.ts';
import { TemplatePage, type EditedTemplate } from './TemplatePage.tsx';
import { useAssembly } from './use-assembly.ts';

export interface GenerateScreenProps {
  draft: Draft;
  /** Whose unsaved template is kept. */
  viewerId: string;
}

function Opened({ draft, viewerId, stored }: GenerateScreenProps & { stored: GenerationForm }) {
  const [form, setForm] = useState(stored);
  const [keeper] = useState(() =>
    templateKeeper(viewerId, draft.testId, () => window.sessionStorage),
  );
  // What a sign-in's end took from the screen is open again.
  const [edited, setEdited] = useState<EditedTemplate | null>(() => {
    const kept = keeper.read();
    return kept && { ...kept, isTyped: true };
  });
  useEffect(() => keeper.forget(), [keeper]);
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
        onSignedOut={keeper.keep}
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

/** «Подбор»: a test is put together from the bank and from templates. */
export function GenerateScreen({ draft, viewerId }: GenerateScreenProps) {
  const { data, problem, retry } = usePageQuery(generationQuery(draft.testId));
  const [seed] = useState(() => newSeed());
  // Once open, the screen keeps what it opened with: a cache that is emptied takes nothing typed away.
  const [stored, setStored] = useState<GenerationForm | null>(null);
  if (stored === null && data) setStored(formOf(data.generation, seed));
  return (
    <div className={classes.screen}>
      <EditModes testId={draft.testId} mode="generate" />
      {stored ? (
        <Opened draft={draft} viewerId={viewerId} stored={stored} />
      ) : problem === null ? (
        <RowsSkeleton />
      ) : (
        <QueryProblem error={problem} onRetry={retry} />
      )}
    </div>
  );
}
