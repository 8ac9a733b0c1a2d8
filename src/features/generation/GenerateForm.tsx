import { Box, Button, Flex, Group, Paper } from '@mantine/core';
import { IconDice5, IconInfoCircle } from '@tabler/icons-react';
import { submit } from '@modular-forms/react';
import { useState } from 'react';
import type { getBankFacets } from '#contract/bank.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { QuestionTemplate } from '#contract/templates.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { writeForm } from '#app/lib/write-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { keepFocus } from '#app/ui/forms/FormFoot.tsx';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';
import { LimitedTextField } from '#app/ui/forms/LimitedField.tsx';
import { Assembled } from './Assembled.tsx';
import { BankPart } from './BankPart.tsx';
import { CARD } from './card.ts';
import { newSeed, SEED_CHARACTERS, type DrawForm, type GenerationForm } from './generation-form.ts';
import { NO_TEMPLATE, templateForm } from './template-form.ts';
import type { EditedTemplate } from './TemplatePage.tsx';
import { TemplatesPart } from './TemplatesPart.tsx';
import type { AssemblyState } from './use-assembly.ts';
import { copyOf, useDeleteTemplate, useSaveTemplate } from './use-templates.ts';

export interface GenerateFormProps {
  readonly draft: DraftEditor;
  readonly form: DrawForm;
  /** What is typed. */
  readonly typed: GenerationForm;
  readonly facets: ReplyOf<typeof getBankFacets>;
  readonly templates: readonly QuestionTemplate[];
  readonly assembly: AssemblyState;
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

/** The seed, and the buttons that start a draw. */
function DrawPanel({ of: form, isUnsaved }: { of: DrawForm; isUnsaved: boolean }) {
  const isDrawing = useSignalValue(form.store.submitting);
  const { message } = useSignalValue(form.store.response);
  return (
    <Paper {...CARD}>
      <Group align="flex-end" gap="sm">
        <Box flex="1 1 14rem">
          <FormField
            of={form}
            component={LimitedTextField}
            name="seed"
            type="text"
            label="Зерно подбора"
            description="С тем же зерном подбор получится тот же, пока банк и шаблоны не изменились"
            maxLength={SEED_CHARACTERS}
            autoComplete="off"
            spellCheck={false}
          />
        </Box>
        <Group gap="xs">
          <Button type="submit" onMouseDown={keepFocus} loading={isDrawing}>
            Подобрать
          </Button>
          <Button
            variant="default"
            leftSection={<Icon of={IconDice5} />}
            disabled={isDrawing}
            onClick={() => {
              writeForm(form.store, { seed: newSeed() });
              submit(form.store);
            }}
          >
            Новый подбор
          </Button>
        </Group>
      </Group>
      <div role="alert">
        <FieldError>{message}</FieldError>
      </div>
      {isUnsaved && (
        <InlineNote icon={IconInfoCircle}>
          Зерно не удалось сохранить с тестом. Сам подбор на месте: запишите зерно, если хотите
          повторить его потом.
        </InlineNote>
      )}
    </Paper>
  );
}

/** The sources of the draw, and its result. */
export function GenerateForm({
  draft,
  form,
  typed,
  facets,
  templates,
  assembly,
  onInclude,
  onEdit,
}: GenerateFormProps) {
  const [deleted, setDeleted] = useState<QuestionTemplate | null>(null);
  const saving = useSaveTemplate();
  const isEmpty = facets.total === 0 && templates.length === 0;
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
      <AppForm of={form} aria-label="Подбор вопросов">
        <Flex direction={{ base: 'column', md: 'row' }} align={{ md: 'flex-start' }} gap="md">
          <Box flex={{ md: 1 }} miw={0}>
            <BankPart of={form} theme={typed.theme} facets={facets} />
          </Box>
          <Box flex={{ md: 1 }} miw={0}>
            <TemplatesPart
              of={form}
              shares={typed.shares}
              onInclude={onInclude}
              templates={templates}
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
            />
          </Box>
        </Flex>
        <DrawPanel of={form} isUnsaved={assembly.isUnsaved} />
      </AppForm>
      <Assembled draft={draft} assembly={assembly} />
      <DeleteModal template={deleted} onClose={() => setDeleted(null)} />
    </>
  );
}
