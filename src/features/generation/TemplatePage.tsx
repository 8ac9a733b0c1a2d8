import { Box, Button, Group, Paper } from '@mantine/core';
import { IconArrowLeft, IconArrowsSplit2, IconPencil } from '@tabler/icons-react';
import { getErrors, submit, validate } from '@modular-forms/react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as v from 'valibot';
import { DIFFICULTY_CHOICES, SUBJECT_CHOICES } from '#domain/choices.ts';
import { LeaveGuard } from '#app/ui/overlays/LeaveGuard.tsx';
import { RichTextField, type RichTextHandle } from '#app/questions/form/RichTextField.tsx';
import { readStaleVersion } from '#app/lib/stale-version.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { useLatest } from '#app/lib/use-latest.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { keepFocus } from '#app/ui/forms/FormFoot.tsx';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import { AnswerFields } from './AnswerFields.tsx';
import { ExpressionHelp } from './ExpressionHelp.tsx';
import { columnsFromDesktop } from '#app/ui/columns.ts';
import { CARD } from './card.ts';
import { TemplateExample } from './TemplateExample.tsx';
import { EXPRESSION, NUMBER, type TemplateFields } from './template-fields.ts';
import {
  fieldName,
  readTemplate,
  TypedBody,
  TemplateForm,
  type TypedTemplate,
} from './template-form.ts';
import { useSaveTemplate } from './use-templates.ts';
import { VariablesFields } from './VariablesFields.tsx';
import { PAIRS } from '#app/ui/columns.ts';

/** Which template is edited; version 0: a new one. */
export interface EditedTemplate extends TypedTemplate {
  /** The form has unsaved input. */
  readonly isTyped: boolean;
}

const THEMES = [{ value: '', label: 'Без предмета' }, ...SUBJECT_CHOICES] as {
  value: TemplateForm['theme'];
  label: string;
}[];
const DIFFICULTIES: Choice<TemplateForm['difficulty']>[] = [
  { value: '', label: 'Не указана' },
  ...DIFFICULTY_CHOICES,
];

function AboutFields({ of }: Pick<TemplateFields, 'of'>) {
  return (
    <>
      <FormField
        of={of}
        name="title"
        {...EXPRESSION}
        label="Название шаблона"
        description="Видите только вы; так же называются вопросы в списках"
      />
      <Box {...PAIRS}>
        <FormField
          of={of}
          name="theme"
          component={SelectField}
          native
          label="Предмет"
          choices={THEMES}
        />
        <FormField
          of={of}
          name="difficulty"
          component={SelectField}
          native
          label="Сложность"
          choices={DIFFICULTIES}
        />
        <FormField of={of} name="topic" {...EXPRESSION} label="Тема" />
        <FormField of={of} name="tags" {...EXPRESSION} label="Метки через запятую" />
        <FormField of={of} name="points" {...NUMBER} label="Баллы за вопрос" />
      </Box>
    </>
  );
}

/** A version conflict: input stays, and the teacher decides. */
function StaleNote({ onOver, onNew }: { onOver: () => void; onNew: () => void }) {
  return (
    <InlineNote
      tone="warn"
      icon={IconArrowsSplit2}
      role="status"
      action={
        <Group gap="xs">
          <Button size="sm" onClick={onNew}>
            Сохранить как новый
          </Button>
          <Button size="sm" variant="default" onClick={onOver}>
            Записать поверх
          </Button>
        </Group>
      }
    >
      Шаблон тем временем изменили в другом месте. Ваши правки не записаны и не потеряны: сохраните
      их отдельным шаблоном или запишите поверх новой версии.
    </InlineNote>
  );
}

/** The form of a template. It is saved under its target, which changes with «Сохранить как новый». */
function useTemplateForm(edited: EditedTemplate, onSaved: (templateId: string) => void) {
  const saving = useSaveTemplate();
  const [target, setTarget] = useState(edited);
  const [typed, setTyped] = useState<TemplateForm>(edited.form);
  const latest = useLatest(typed);
  // The typed template may differ from the stored one even if it equals the form's initial values.
  const [isTyped, setIsTyped] = useState(edited.isTyped);
  const form = useAppForm({
    schema: TypedBody,
    initialValues: edited.form,
    onValues: (values) => {
      setTyped(v.parse(TemplateForm, { ...edited.form, ...values }));
      // A variable may explain an error of the text.
      const wrong = Object.keys(getErrors(form.store)) as (keyof TemplateForm)[];
      if (wrong.length > 0) void validate(form.store, wrong, { shouldFocus: false });
    },
    send: async (body) => {
      const stored = await saving.mutateAsync({ ...target, body });
      if (latest.current === typed) return onSaved(stored.templateId);
      setTarget({ ...target, ...stored });
      setIsTyped(true);
    },
    // Shown beside the two choices.
    toMessage: (error) => (readStaleVersion(error) === null ? describeFailure(error) : ''),
  });
  const saveUnder = (next: Pick<TypedTemplate, 'templateId' | 'version'>) => {
    // The form sends to the target of its latest rendering.
    flushSync(() => setTarget({ ...target, ...next }));
    submit(form.store);
  };
  const isDirty = useSignalValue(form.store.dirty) || isTyped;
  return { form, typed, target, saving, saveUnder, isDirty };
}

/** How saving went: a version conflict, input typed meanwhile, or a failure. */
function SaveNotes({
  form,
  target,
  saving,
  saveUnder,
  isDirty,
}: ReturnType<typeof useTemplateForm>) {
  const stale = readStaleVersion(saving.error);
  const { message } = useSignalValue(form.store.response);
  return (
    <>
      {stale !== null && (
        <StaleNote
          onNew={() => saveUnder({ templateId: newId(), version: 0 })}
          onOver={() => saveUnder({ templateId: target.templateId, version: stale.version })}
        />
      )}
      {saving.isSuccess && isDirty && (
        <InlineNote icon={IconPencil} role="status">
          Шаблон сохранён, а то, что вы написали после, ещё не сохранено.
        </InlineNote>
      )}
      <div role="alert">{message && <FieldError>{message}</FieldError>}</div>
    </>
  );
}

/** One template: its fields and live examples. */
export function TemplatePage({
  edited,
  onSaved,
  onClose,
  onSignedOut,
}: {
  edited: EditedTemplate;
  onSaved: (templateId: string) => void;
  onClose: () => void;
  /** The session ended: saves the input. */
  onSignedOut: (typed: TypedTemplate) => void;
}) {
  const [isLeaving, setLeaving] = useState(false);
  const text = useRef<RichTextHandle>(null);
  const template = useTemplateForm(edited, onSaved);
  const { form, typed, target, saving, isDirty } = template;
  const settled = useDeferredValue(typed);
  const { body, problems } = useMemo(() => readTemplate(settled), [settled]);
  const leave = () => (isDirty ? setLeaving(true) : onClose());
  const [first] = problems;
  return (
    <>
      <QuietButton icon={IconArrowLeft} onClick={leave}>
        К подбору
      </QuietButton>
      <h2>{target.version === 0 ? 'Новый шаблон' : 'Шаблон вопроса'}</h2>
      <Box {...columnsFromDesktop('minmax(0, 1.5fr) minmax(0, 1fr)', '1rem')}>
        <Paper {...CARD}>
          <AppForm of={form} aria-label="Шаблон">
            <AboutFields of={form} />
            <FormField
              of={form}
              name="text"
              component={RichTextField}
              label="Текст вопроса"
              handle={text}
            />
            <VariablesFields of={form} typed={typed} />
            <FormField
              of={form}
              name="condition"
              {...EXPRESSION}
              label="Условие"
              description="Необязательно: a > b. Числа подбираются, пока оно не выполнится"
            />
            <AnswerFields
              of={form}
              typed={typed}
              selection={() => text.current?.selection() ?? { start: 0, end: 0 }}
            />
            <FormField
              of={form}
              name="explanation"
              component={RichTextField}
              label="Пояснение после ответа"
            />
            <ExpressionHelp />
            <SaveNotes {...template} />
            <Group gap="xs">
              <Button type="submit" onMouseDown={keepFocus} loading={saving.isPending}>
                Сохранить шаблон
              </Button>
              <Button variant="default" onClick={leave}>
                Отмена
              </Button>
            </Group>
          </AppForm>
        </Paper>
        <QuestionPictures>
          <TemplateExample
            body={body}
            problem={first ? `${fieldName(first[0], settled)}: ${first[1]}` : null}
          />
        </QuestionPictures>
      </Box>
      <LeaveGuard
        isDirty={isDirty}
        message="Шаблон ещё не сохранён. Если уйти, правки в нём пропадут."
        onSignedOut={() => onSignedOut({ ...target, form: typed })}
      />
      <ConfirmModal
        opened={isLeaving}
        title="Выйти без сохранения?"
        confirm="Выйти без сохранения"
        cancel="Остаться"
        onConfirm={onClose}
        onClose={() => setLeaving(false)}
      >
        <p>Шаблон ещё не сохранён. Если выйти, правки в нём пропадут.</p>
      </ConfirmModal>
    </>
  );
}
