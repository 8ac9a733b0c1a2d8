import { Group, Paper, Text } from '@mantine/core';
import type { getBankFacets, QuestionKind } from '#contract/bank.ts';
import type { ReplyOf } from '#contract/route.ts';
import { Theme } from '#contract/themes.ts';
import { formatCount, formatNumber, QUESTIONS } from '#domain/format.ts';
import { subjectLabel } from '#domain/labels.ts';
import { wireKindLabel } from '#domain/labels-kinds.ts';
import { writeForm } from '#app/lib/write-form.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { SelectField, type Choice, type SelectFieldProps } from '#app/ui/forms/SelectField.tsx';
import { CheckChips } from './CheckChips.tsx';
import { CARD } from './card.ts';
import { SLOTS, type DrawForm, type Slot } from './generation-form.ts';
import { slotLabel } from './messages.ts';
import classes from './generate.module.css';

type Facets = ReplyOf<typeof getBankFacets>;

const asChips = (counts: Facets['topics']) =>
  counts.map(({ value, count }) => ({ value, count, label: value }));

function subjects({ themes, total }: Facets, chosen: Theme | ''): Choice<Theme | ''>[] {
  const known = themes.flatMap(({ value, count }) =>
    Theme.options.filter((theme) => theme === value).map((theme) => ({ theme, count })),
  );
  const gone =
    chosen === '' || known.some(({ theme }) => theme === chosen)
      ? []
      : [{ theme: chosen, count: 0 }];
  return [
    { value: '', label: `Все предметы (${formatNumber(total)})` },
    ...[...known, ...gone].map(({ theme, count }) => ({
      value: theme,
      label: `${subjectLabel(theme)} (${formatNumber(count)})`,
    })),
  ];
}

/** Topics and labels belong to a subject: a change of the subject clears them. */
function SubjectField({ form, ...field }: SelectFieldProps<Theme | ''> & { form: DrawForm }) {
  const onChange = (theme: Theme | '') => {
    field.onChange(theme);
    writeForm(form.store, { topics: [], tags: [] });
  };
  return <SelectField {...field} onChange={onChange} />;
}

/** Selection of bank questions for the draw. */
export function BankPart({
  of,
  theme,
  facets,
}: {
  of: DrawForm;
  theme: Theme | '';
  facets: Facets;
}) {
  const inShelf = facets.kinds.reduce((sum, { count }) => sum + count, 0);
  const available = (slot: Slot) =>
    slot === 'any'
      ? inShelf
      : (facets.difficulties.find(({ value }) => value === slot)?.count ?? 0);
  return (
    <Paper component="section" {...CARD} aria-labelledby="from-bank">
      <Group gap="0.5rem 1rem" justify="space-between">
        <h2 id="from-bank">Из банка</h2>
        {facets.total > 0 && (
          <Text size="sm" textWrap="pretty" c="dimmed">
            {formatCount(facets.total, QUESTIONS)}
          </Text>
        )}
      </Group>
      {facets.total === 0 ? (
        <Text size="sm" textWrap="pretty" c="dimmed">
          В банке пока пусто. Вопросы, которые вы сохраняете в тестах, попадают в него сами:
          составьте первый тест вручную или начните с шаблона.
        </Text>
      ) : (
        <>
          <FormField
            of={of}
            name="theme"
            component={SubjectField}
            label="Предмет"
            choices={subjects(facets, theme)}
            form={of}
          />
          <FormField
            of={of}
            name="topics"
            component={CheckChips}
            label="Темы"
            chips={asChips(facets.topics)}
          />
          <FormField
            of={of}
            name="tags"
            component={CheckChips}
            label="Метки"
            chips={asChips(facets.tags)}
          />
          <FormField
            of={of}
            name="kinds"
            component={CheckChips}
            label="Вид вопроса"
            chips={facets.kinds.map(({ value, count }) => ({
              value,
              count,
              label: wireKindLabel(value as QuestionKind),
            }))}
          />
          <FieldGroup
            label="Сколько вопросов"
            description="Пусто или 0: таких не нужно. «Любые» добирают из того, что осталось"
          >
            <div className={classes.mix}>
              {SLOTS.map((slot) => (
                <FormField
                  key={slot}
                  of={of}
                  name={`mix.${slot}`}
                  component={NumberField}
                  label={slotLabel(slot)}
                  description={`есть ${formatNumber(available(slot))}`}
                />
              ))}
            </div>
          </FieldGroup>
        </>
      )}
    </Paper>
  );
}
