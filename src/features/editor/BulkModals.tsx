import * as v from 'valibot';
import { Points } from '#contract/primitives.ts';
import { QuestionTopic, Tags } from '#contract/questions.ts';
import { Difficulty } from '#contract/themes.ts';
import { formatCount, type Forms } from '#domain/format.ts';
import { DIFFICULTY_CHOICES } from '#domain/choices.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import type { BulkChange } from './edits.ts';

const FOR_QUESTIONS: Forms = ['вопроса', 'вопросов', 'вопросов'];

interface BulkModalProps {
  ids: readonly string[];
  onClose: () => void;
  onChange: (change: BulkChange, label: string) => void;
}

/** A number with a decimal comma or point, at most two decimals. */
const PointsForm = v.object({
  points: v.pipe(
    v.string(),
    v.transform((typed) => typed.trim().replace(',', '.')),
    v.transform((typed) => (/^\d+(?:\.\d{1,2})?$/.test(typed) ? Number(typed) : 0)),
    v.check(
      (points) => points > 0 && v.is(Points, points),
      'Число больше нуля, не больше двух знаков после запятой',
    ),
  ),
});

/** «Баллы для 5 вопросов». */
export function PointsModal({ ids, onClose, onChange }: BulkModalProps) {
  const form = useAppForm({
    schema: PointsForm,
    initialValues: { points: '' },
    send: (change) => {
      onChange(change, `Баллы: ${formatCount(ids.length, FOR_QUESTIONS)}`);
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Баллы для ${formatCount(ids.length, FOR_QUESTIONS)}`}>
      <AppForm of={form}>
        <FormField
          of={form}
          component={NumberField}
          name="points"
          data-autofocus
          label="Баллов за каждый"
          inputMode="decimal"
        />
        <FormFoot of={form} label="Поставить" fullWidth />
      </AppForm>
    </Modal>
  );
}

const AS_IT_IS = 'asItIs';
const NONE = 'none';
const DIFFICULTIES = [
  { value: AS_IT_IS, label: 'Не менять' },
  ...DIFFICULTY_CHOICES,
  { value: NONE, label: 'Убрать' },
];

const PropertiesForm = v.object({
  difficulty: v.string(),
  topic: QuestionTopic,
  tags: v.pipe(
    v.string(),
    v.transform((typed) =>
      typed
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
    Tags,
  ),
});

/** «Сложность, тема, метки» of several questions; empty fields are unchanged. */
export function PropertiesModal({ ids, onClose, onChange }: BulkModalProps) {
  const form = useAppForm({
    schema: PropertiesForm,
    initialValues: { difficulty: AS_IT_IS, topic: '', tags: '' },
    send: ({ difficulty, topic, tags }) => {
      const change: BulkChange = {
        ...(v.is(Difficulty, difficulty) && { difficulty }),
        ...(difficulty === NONE && { difficulty: null }),
        ...(topic !== '' && { topic }),
        ...(tags.length > 0 && { addTags: tags }),
      };
      if (Object.keys(change).length > 0) {
        onChange(change, `Свойства: ${formatCount(ids.length, FOR_QUESTIONS)}`);
      }
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Свойства ${formatCount(ids.length, FOR_QUESTIONS)}`}>
      <AppForm of={form}>
        <FormField
          of={form}
          component={SelectField}
          name="difficulty"
          native
          label="Сложность"
          choices={DIFFICULTIES}
        />
        <FormField
          of={form}
          name="topic"
          type="text"
          label="Тема"
          description="Пусто: темы останутся как были"
        />
        <FormField
          of={form}
          name="tags"
          type="text"
          label="Добавить метки"
          description="Через запятую"
        />
        <FormFoot of={form} label="Применить" fullWidth />
      </AppForm>
    </Modal>
  );
}
