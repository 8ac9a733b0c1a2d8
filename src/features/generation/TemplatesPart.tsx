import { Box, Button, Flex, Group, Paper, Text } from '@mantine/core';
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import type { QuestionTemplate, TemplateBody } from '#contract/templates.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { CARD } from './card.ts';
import type { DrawForm, GenerationForm } from './generation-form.ts';
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
function Share({
  of,
  templateId,
  perStudent,
}: {
  of: DrawForm;
  templateId: string;
  perStudent: boolean;
}) {
  return (
    <Flex
      direction={{ base: 'column', sm: 'row' }}
      gap="0.25rem 1.5rem"
      p="0.25rem 0 0.5rem 2.125rem"
    >
      <Box w={{ sm: '8rem' }} flex="none">
        <FormField
          of={of}
          name={`shares.${templateId}.count`}
          component={NumberField}
          label={perStudent ? 'Вариантов' : 'Вопросов'}
        />
      </Box>
      <Box flex={1} miw={0}>
        <FormField
          of={of}
          name={`shares.${templateId}.perStudent`}
          component={SwitchField}
          label="Каждому ученику свой вариант"
          description={
            perStudent
              ? 'В тесте это один вопрос: каждая попытка получает один из вариантов'
              : 'Сейчас это отдельные вопросы: каждая попытка получает их все'
          }
        />
      </Box>
    </Flex>
  );
}

export interface TemplatesPartProps {
  of: DrawForm;
  shares: GenerationForm['shares'];
  templates: readonly QuestionTemplate[];
  isBusy: boolean;
  /** Why the last action failed; null: it succeeded. */
  failure: string | null;
  actions: TemplateActions;
  /** Adds a template to the draw. */
  onInclude: (templateId: string) => void;
}

/** The templates to choose from, by id. */
function TemplateList({
  form,
  shares,
  templates,
  actions,
  onInclude,
  value,
  onChange,
}: Omit<TemplatesPartProps, 'of' | 'isBusy' | 'failure'> & {
  form: DrawForm;
  value: readonly string[];
  onChange: (value: string[]) => void;
}) {
  return (
    <Flex component="ul" direction="column" gap={0}>
      {templates.map((template) => {
        const { templateId, body } = template;
        const isOn = value.includes(templateId);
        return (
          <Box key={templateId} component="li" className="line-between" py="xs">
            <Group gap="xs" justify="space-between" wrap="nowrap">
              <Box flex={1} miw={0} className="break-anywhere">
                <SwitchField
                  label={body.title}
                  description={about(body) || undefined}
                  value={isOn}
                  onChange={(isWanted) =>
                    isWanted
                      ? onInclude(templateId)
                      : onChange(value.filter((one) => one !== templateId))
                  }
                />
              </Box>
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
            </Group>
            {isOn && (
              <Share
                of={form}
                templateId={templateId}
                perStudent={shares[templateId]?.perStudent ?? false}
              />
            )}
          </Box>
        );
      })}
    </Flex>
  );
}

/** The teacher's templates: their share of the draw and their actions. */
export function TemplatesPart({
  of,
  shares,
  templates,
  isBusy,
  failure,
  actions,
  onInclude,
}: TemplatesPartProps) {
  return (
    <Paper component="section" {...CARD} aria-labelledby="from-templates">
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
            Шаблон – это вопрос с переменными: по нему получается столько вариантов, сколько нужно.
            Начните с готового или создайте свой.
          </Text>
          <Flex component="ul" direction="column" gap="xs">
            {STARTERS.map((body) => (
              <Paper key={body.title} component="li" p="0.625rem 0.75rem" radius="md">
                <Group gap="xs" wrap="nowrap">
                  <Box flex={1}>
                    <p>{body.title}</p>
                    <Text size="sm" textWrap="pretty" c="dimmed">
                      {about(body)}
                    </Text>
                  </Box>
                  <Button
                    variant="default"
                    size="sm"
                    disabled={isBusy}
                    aria-label={`Взять шаблон «${body.title}»`}
                    onClick={() => actions.onTake(body)}
                  >
                    Взять
                  </Button>
                </Group>
              </Paper>
            ))}
          </Flex>
        </>
      ) : (
        <FormField
          of={of}
          name="chosen"
          component={TemplateList}
          form={of}
          shares={shares}
          templates={templates}
          actions={actions}
          onInclude={onInclude}
        />
      )}
    </Paper>
  );
}
