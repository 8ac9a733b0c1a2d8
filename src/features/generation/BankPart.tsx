import { Group, Paper, Text } from '@mantine/core';
import type { getBankFacets, QuestionKind } from '#contract/bank.ts';
import type { ReplyOf } from '#contract/route.ts';
import { Theme } from '#contract/themes.ts';
import { formatCount, formatNumber, QUESTIONS } from '#domain/format.ts';
import { subjectLabel } from '#domain/labels.ts';
import { kindLabel } from '#domain/labels-statistics.ts';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import { CheckChips } from './CheckChips.tsx';
import classes from './generate.module.css';
import { SLOTS, type GenerationForm, type Slot } from './generation-form.ts';
import { slotLabel } from './messages.ts';

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

/** Selection of bank questions for the draw. */
export function BankPart({
  form,
  facets,
  problems,
  onChange,
}: {
  form: GenerationForm;
  facets: Facets;
  problems: ReadonlyMap<string, string>;
  onChange: (part: Partial<GenerationForm>) => void;
}) {
  const inShelf = facets.kinds.reduce((sum, { count }) => sum + count, 0);
  const available = (slot: Slot) =>
    slot === 'any'
      ? inShelf
      : (facets.difficulties.find(({ value }) => value === slot)?.count ?? 0);
  return (
    <Paper component="section" className={classes.card} aria-labelledby="from-bank">
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
          <SelectField
            label="Предмет"
            choices={subjects(facets, form.theme)}
            value={form.theme}
            onChange={(theme) => onChange({ theme, topics: [], tags: [] })}
          />
          <CheckChips
            label="Темы"
            chips={asChips(facets.topics)}
            chosen={form.topics}
            onChange={(topics) => onChange({ topics })}
          />
          <CheckChips
            label="Метки"
            chips={asChips(facets.tags)}
            chosen={form.tags}
            onChange={(tags) => onChange({ tags })}
          />
          <CheckChips
            label="Вид вопроса"
            chips={facets.kinds.map(({ value, count }) => ({
              value,
              count,
              label: kindLabel(value as QuestionKind, false),
            }))}
            chosen={form.kinds}
            onChange={(kinds) => onChange({ kinds: kinds as QuestionKind[] })}
          />
          <FieldGroup
            label="Сколько вопросов"
            description="Пусто или 0: таких не нужно. «Любые» добирают из того, что осталось"
          >
            <div className={classes.mix}>
              {SLOTS.map((slot) => (
                <NumberField
                  key={slot}
                  label={slotLabel(slot)}
                  description={`есть ${formatNumber(available(slot))}`}
                  value={form.mix[slot]}
                  error={problems.get(`mix.${slot}`)}
                  onChange={(event) =>
                    onChange({ mix: { ...form.mix, [slot]: event.currentTarget.value } })
                  }
                />
              ))}
            </div>
          </FieldGroup>
        </>
      )}
    </Paper>
  );
}
