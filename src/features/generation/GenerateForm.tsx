import { Button, Group, Paper } from '@mantine/core';
import { IconDice5, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { getBankFacets } from '#contract/bank.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { QuestionTemplate } from '#contract/templates.ts';
import type { Draft } from '#app/authoring/draft/draft.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { TextField } from '#app/ui/forms/TextField.tsx';
import { Assembled } from './Assembled.tsx';
import { BankPart } from './BankPart.tsx';
import classes from './generate.module.css';
import {
  newSeed,
  readGeneration,
  SEED_CHARACTERS,
  type GenerationForm,
} from './generation-form.ts';
import { NO_TEMPLATE, templateForm } from './template-form.ts';
import type { EditedTemplate } from './TemplatePage.tsx';
import { TemplatesPart } from './TemplatesPart.tsx';
import type { AssemblyState } from './use-assembly.ts';
import { copyOf, useDeleteTemplate, useSaveTemplate } from './use-templates.ts';

export interface GenerateFormProps {
  readonly draft: Draft;
  readonly form: GenerationForm;
  readonly facets: ReplyOf<typeof getBankFacets>;
  readonly templates: readonly QuestionTemplate[];
  readonly assembly: AssemblyState;
  readonly onChange: (part: Partial<GenerationForm>) => void;
  /** Adds a template to the draw. */
  readonly onInclude: (templateId: string) => void;
  readonly onEdit: (template: EditedTemplate) => void;
}

/** Confirms deleting a template; its questions stay. */
function DeleteModal({
  template,
  onClose,
}: {
  template: QuestionTemplate | null;
  onClose: () => void;
}) {
  const deleting = useDeleteTemplate();
  const close = () => {
    deleting.reset();
    onClose();
  };
  return (
    <ConfirmModal
      opened={template !== null}
      title="Удалить шаблон?"
      confirm="Удалить"
      cancel="Оставить"
      isBusy={deleting.isPending}
      problem={deleting.error ? describeFailure(deleting.error) : null}
      onConfirm={() => {
        if (template) deleting.mutate(template.templateId, { onSuccess: close });
      }}
      onClose={close}
    >
      {template && (
        <p>
          Шаблон «{template.body.title}» удалится насовсем. Вопросы, которые по нему уже сделаны,
          останутся в тестах.
        </p>
      )}
    </ConfirmModal>
  );
}

/** The sources of the draw, and its result. */
export function GenerateForm({
  draft,
  form,
  facets,
  templates,
  assembly,
  onChange,
  onInclude,
  onEdit,
}: GenerateFormProps) {
  const [isSent, setSent] = useState(false);
  const [deleted, setDeleted] = useState<QuestionTemplate | null>(null);
  const saving = useSaveTemplate();
  const known = {
    bankTotal: facets.total,
    templateIds: new Set(templates.map(({ templateId }) => templateId)),
  };
  const { problems } = readGeneration(form, known);
  const shown = isSent ? problems : new Map<string, string>();
  const isEmpty = facets.total === 0 && templates.length === 0;
  const container = useRef<HTMLFormElement>(null);
  const [wrongAt, setWrongAt] = useState(0);
  useEffect(() => {
    if (wrongAt > 0) container.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [wrongAt]);

  const drawFrom = (next: GenerationForm) => {
    const { generation } = readGeneration(next, known);
    setSent(generation === null);
    if (generation) assembly.draw(generation, templates);
    else setWrongAt((now) => now + 1);
  };
  const store = (body: QuestionTemplate['body']) =>
    saving.mutate(
      { templateId: newId(), version: 0, body },
      { onSuccess: ({ templateId }) => onInclude(templateId) },
    );

  return (
    <>
      {isEmpty && (
        <InlineNote>
          Подбирать пока не из чего: в банке нет вопросов, и шаблонов тоже нет. Возьмите готовый
          шаблон ниже или составьте вопросы вручную, и они окажутся в банке.
        </InlineNote>
      )}
      <form
        ref={container}
        className="stack"
        noValidate
        aria-label="Подбор вопросов"
        onSubmit={(event) => {
          event.preventDefault();
          drawFrom(form);
        }}
      >
        <div className={classes.columns}>
          <BankPart form={form} facets={facets} problems={shown} onChange={onChange} />
          <TemplatesPart
            templates={templates}
            chosen={form.templates}
            problems={shown}
            isBusy={saving.isPending}
            failure={saving.error ? describeFailure(saving.error) : null}
            actions={{
              onNew: () =>
                onEdit({ templateId: newId(), version: 0, form: NO_TEMPLATE, isTyped: false }),
              onEdit: ({ templateId, version, body }) =>
                onEdit({ templateId, version, form: templateForm(body), isTyped: false }),
              onCopy: ({ body }) => store(copyOf(body)),
              onDelete: setDeleted,
              onTake: store,
            }}
            onChange={(chosen) => onChange({ templates: chosen })}
          />
        </div>
        <Paper className={classes.card}>
          <Group align="flex-end" gap="sm">
            <TextField
              type="text"
              flex="1 1 14rem"
              label="Зерно подбора"
              description="С тем же зерном подбор получится тот же, пока банк и шаблоны не изменились"
              error={shown.get('seed') ?? ''}
              value={form.seed}
              maxLength={SEED_CHARACTERS}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange({ seed: event.currentTarget.value })}
            />
            <Group gap="xs">
              <Button type="submit" loading={assembly.progress !== null}>
                Подобрать
              </Button>
              <Button
                variant="default"
                leftSection={<Icon of={IconDice5} />}
                disabled={assembly.progress !== null}
                onClick={() => {
                  const next = { ...form, seed: newSeed() };
                  onChange(next);
                  drawFrom(next);
                }}
              >
                Новый подбор
              </Button>
            </Group>
          </Group>
          <div role="alert">
            <FieldError>{shown.get('form') ?? assembly.problem ?? undefined}</FieldError>
          </div>
          {assembly.isUnsaved && (
            <InlineNote icon={IconInfoCircle}>
              Зерно не удалось сохранить с тестом. Сам подбор на месте: запишите зерно, если хотите
              повторить его потом.
            </InlineNote>
          )}
        </Paper>
      </form>
      <Assembled draft={draft} assembly={assembly} />
      <DeleteModal template={deleted} onClose={() => setDeleted(null)} />
    </>
  );
}
