import { Button, Group } from '@mantine/core';
import { IconArrowLeft, IconArrowsSplit2, IconPencil } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { Difficulty } from '#contract/themes.ts';
import { difficultyLabel, SUBJECT_KEYS, subjectLabel } from '#domain/labels.ts';
import { LeaveGuard } from '#app/ui/overlays/LeaveGuard.tsx';
import { RichTextField } from '#app/authoring/question/RichTextField.tsx';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import { usePictures } from '#app/lib/pictures/use-pictures.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { cx } from '#app/ui/cx.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { AnswerFields } from './AnswerFields.tsx';
import { ExpressionHelp } from './ExpressionHelp.tsx';
import classes from './generate.module.css';
import { TemplateExample } from './TemplateExample.tsx';
import { FieldPlace, TemplateLine } from './TemplateField.tsx';
import { fieldName, type TemplateForm, type TypedTemplate } from './template-form.ts';
import { useTemplateForm, type TemplateEditing } from './use-template-form.ts';
import { staleVersion, useSaveTemplate } from './use-templates.ts';
import { VariablesFields } from './VariablesFields.tsx';

/** Pictures of examples are fetched lazily. */
const NO_QUESTIONS: readonly Question[] = [];

/** Which template is edited; version 0: a new one. */
export interface EditedTemplate extends TypedTemplate {
  /** The form has unsaved input. */
  readonly isTyped: boolean;
}

const THEMES = [
  { value: '', label: 'Без предмета' },
  ...SUBJECT_KEYS.map((theme) => ({ value: theme, label: subjectLabel(theme) })),
] as { value: TemplateForm['theme']; label: string }[];
const DIFFICULTIES: { value: TemplateForm['difficulty']; label: string }[] = [
  { value: '', label: 'Не указана' },
  ...Difficulty.options.map((value) => ({ value, label: difficultyLabel(value) })),
];

function AboutFields({ editing }: { editing: TemplateEditing }) {
  const { form, set } = editing;
  return (
    <>
      <TemplateLine
        editing={editing}
        field="title"
        label="Название шаблона"
        description="Видите только вы; так же называются вопросы в списках"
        value={form.title}
        onChange={(title) => set({ title })}
      />
      <div className={classes.pair}>
        <SelectField
          native
          label="Предмет"
          choices={THEMES}
          value={form.theme}
          onChange={(theme) => set({ theme })}
        />
        <SelectField
          native
          label="Сложность"
          choices={DIFFICULTIES}
          value={form.difficulty}
          onChange={(difficulty) => set({ difficulty })}
        />
        <TemplateLine
          editing={editing}
          field="topic"
          label="Тема"
          value={form.topic}
          onChange={(topic) => set({ topic })}
        />
        <TemplateLine
          editing={editing}
          field="tags"
          label="Метки через запятую"
          value={form.tags}
          onChange={(tags) => set({ tags })}
        />
        <TemplateLine
          editing={editing}
          field="points"
          label="Баллы за вопрос"
          value={form.points}
          isNumber
          onChange={(points) => set({ points })}
        />
      </div>
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
  const container = useRef<HTMLFormElement>(null);
  const editing = useTemplateForm(edited.form, edited.isTyped, container);
  const { form, set, errorOf, body, problems } = editing;
  const saving = useSaveTemplate();
  const [isLeaving, setLeaving] = useState(false);
  // Target of the next save: differs from the opened one after «Сохранить как новый».
  const [{ templateId, version }, setStored] = useState(edited);
  const resolve = usePictures(NO_QUESTIONS);
  const stale = staleVersion(saving.error);
  const save = (under: { templateId: string; version: number }) => {
    const finished = editing.finish();
    if (!finished || saving.isPending) return;
    saving.mutate(
      { ...under, body: finished },
      {
        onSuccess: (stored) => {
          if (editing.settle(form)) onSaved(stored.templateId);
          else setStored((now) => ({ ...now, ...stored }));
        },
      },
    );
  };
  const [first] = problems;
  return (
    <>
      <QuietButton
        icon={IconArrowLeft}
        onClick={() => (editing.isDirty ? setLeaving(true) : onClose())}
      >
        К подбору
      </QuietButton>
      <h2>{version === 0 ? 'Новый шаблон' : 'Шаблон вопроса'}</h2>
      <div className={cx(classes.columns, classes.editing)}>
        <form
          ref={container}
          className={cx(classes.surface, classes.card)}
          noValidate
          aria-label="Шаблон"
          onSubmit={(event) => {
            event.preventDefault();
            save({ templateId, version });
          }}
        >
          <AboutFields editing={editing} />
          <FieldPlace editing={editing} field="text">
            <RichTextField
              label="Текст вопроса"
              value={form.text}
              error={errorOf('text')}
              onChange={(text) => set({ text })}
            />
          </FieldPlace>
          <VariablesFields editing={editing} />
          <TemplateLine
            editing={editing}
            field="condition"
            label="Условие"
            description="Необязательно: a > b. Числа подбираются, пока оно не выполнится"
            value={form.condition}
            onChange={(condition) => set({ condition })}
          />
          <AnswerFields editing={editing} />
          <FieldPlace editing={editing} field="explanation">
            <RichTextField
              label="Пояснение после ответа"
              value={form.explanation}
              error={errorOf('explanation')}
              onChange={(explanation) => set({ explanation })}
            />
          </FieldPlace>
          <ExpressionHelp />
          {stale !== null && (
            <StaleNote
              onNew={() => save({ templateId: newId(), version: 0 })}
              onOver={() => save({ templateId, version: stale })}
            />
          )}
          {saving.isSuccess && editing.isDirty && (
            <InlineNote icon={IconPencil} role="status">
              Шаблон сохранён, а то, что вы написали после, ещё не сохранено.
            </InlineNote>
          )}
          <div role="alert">
            {saving.error && stale === null && (
              <FieldError>{describeFailure(saving.error)}</FieldError>
            )}
          </div>
          <Group gap="xs">
            <Button type="submit" loading={saving.isPending}>
              Сохранить шаблон
            </Button>
            <Button
              variant="default"
              onClick={() => (editing.isDirty ? setLeaving(true) : onClose())}
            >
              Отмена
            </Button>
          </Group>
        </form>
        <TemplateExample
          body={body}
          problem={first ? `${fieldName(first[0], form)}: ${first[1]}` : null}
          resolve={resolve}
        />
      </div>
      <LeaveGuard
        isDirty={editing.isDirty}
        words="Шаблон ещё не сохранён. Если уйти, правки в нём пропадут."
        onSignedOut={() => onSignedOut({ templateId, version, form })}
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
