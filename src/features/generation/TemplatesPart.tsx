import { Button, Flex, Group, Paper, Text } from '@mantine/core';
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import type { QuestionTemplate, TemplateBody } from '#contract/templates.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import classes from './generate.module.css';
import type { ChosenTemplate } from './generation-form.ts';
import { STARTERS } from './template/starters.ts';

export interface TemplateActions {
  readonly onNew: () => void;
  readonly onEdit: (template: QuestionTemplate) => void;
  readonly onCopy: (template: QuestionTemplate) => void;
  readonly onDelete: (template: QuestionTemplate) => void;
  /** Copies a starter template to the teacher. */
  readonly onTake: (body: TemplateBody) => void;
}

const about = ({ theme, topic, difficulty }: TemplateBody) =>
  [theme && subjectLabel(theme), topic, difficulty && difficultyLabel(difficulty).toLowerCase()]
    .filter(Boolean)
    .join(', ');

/** Number of questions or of variants to draw from a template. */
function Chosen({
  chosen,
  error,
  onChange,
}: {
  chosen: ChosenTemplate;
  error: string | undefined;
  onChange: (chosen: ChosenTemplate) => void;
}) {
  return (
    <div className={classes.chosen}>
      <NumberField
        label={chosen.perStudent ? 'Вариантов' : 'Вопросов'}
        value={chosen.count}
        error={error}
        onChange={(event) => onChange({ ...chosen, count: event.currentTarget.value })}
      />
      <SwitchField
        label="Каждому ученику свой вариант"
        description={
          chosen.perStudent
            ? 'В тесте это один вопрос: каждая попытка получает один из вариантов'
            : 'Сейчас это отдельные вопросы: каждая попытка получает их все'
        }
        value={chosen.perStudent}
        onChange={(perStudent) => onChange({ ...chosen, perStudent })}
      />
    </div>
  );
}

/** The teacher's templates: their share of the draw and their actions. */
export function TemplatesPart({
  templates,
  chosen,
  problems,
  isBusy,
  failure,
  actions,
  onChange,
}: {
  templates: readonly QuestionTemplate[];
  chosen: readonly ChosenTemplate[];
  problems: ReadonlyMap<string, string>;
  isBusy: boolean;
  /** Why the last action failed; null: it succeeded. */
  failure: string | null;
  actions: TemplateActions;
  onChange: (chosen: readonly ChosenTemplate[]) => void;
}) {
  const toggle = (templateId: string, isOn: boolean) =>
    onChange(
      isOn
        ? [...chosen, { templateId, count: '5', perStudent: false }]
        : chosen.filter((one) => one.templateId !== templateId),
    );
  return (
    <Paper component="section" className={classes.card} aria-labelledby="from-templates">
      <Group gap="0.5rem 1rem" justify="space-between">
        <h2 id="from-templates">По шаблонам</h2>
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          onClick={actions.onNew}
        >
          Новый шаблон
        </Button>
      </Group>
      <div role="alert">{failure !== null && <FieldError>{failure}</FieldError>}</div>
      {templates.length === 0 ? (
        <>
          <Text size="sm" textWrap="pretty" c="dimmed">
            Шаблон это вопрос с переменными: по нему получается столько вариантов, сколько нужно.
            Начните с готового или создайте свой.
          </Text>
          <Flex component="ul" direction="column" gap="xs">
            {STARTERS.map((body) => (
              <Paper key={body.title} component="li" className={classes.starter} radius="md">
                <div>
                  <p>{body.title}</p>
                  <Text size="sm" textWrap="pretty" c="dimmed">
                    {about(body)}
                  </Text>
                </div>
                <Button
                  variant="default"
                  size="sm"
                  disabled={isBusy}
                  aria-label={`Взять шаблон «${body.title}»`}
                  onClick={() => actions.onTake(body)}
                >
                  Взять
                </Button>
              </Paper>
            ))}
          </Flex>
        </>
      ) : (
        <Flex component="ul" direction="column" gap={0}>
          {templates.map((template) => {
            const { templateId, body } = template;
            const own = chosen.find((one) => one.templateId === templateId);
            return (
              <li key={templateId} className={classes.template}>
                <SwitchField
                  label={body.title}
                  description={about(body) || undefined}
                  value={own !== undefined}
                  onChange={(isOn) => toggle(templateId, isOn)}
                />
                <RowMenu
                  label={`Действия с шаблоном «${body.title}»`}
                  actions={[
                    {
                      icon: IconPencil,
                      label: 'Изменить',
                      onClick: () => actions.onEdit(template),
                    },
                    {
                      icon: IconCopy,
                      label: 'Сделать копию',
                      onClick: () => actions.onCopy(template),
                    },
                    {
                      icon: IconTrash,
                      label: 'Удалить',
                      onClick: () => actions.onDelete(template),
                    },
                  ]}
                />
                {own && (
                  <Chosen
                    chosen={own}
                    error={problems.get(`templates.${templateId}`)}
                    onChange={(next) =>
                      onChange(chosen.map((one) => (one.templateId === templateId ? next : one)))
                    }
                  />
                )}
              </li>
            );
          })}
        </Flex>
      )}
    </Paper>
  );
}
