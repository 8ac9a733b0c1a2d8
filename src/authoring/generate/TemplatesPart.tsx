import { Button } from '@mantine/core';
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import type { QuestionTemplate, TemplateBody } from '#contract/templates.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { NumberField } from '#app/ui/NumberField.tsx';
import { RowMenu } from '#app/ui/RowMenu.tsx';
import { SwitchField } from '#app/ui/SwitchField.tsx';
import classes from './generate.module.css';
import type { ChosenTemplate } from './generation-form.ts';
import { STARTERS } from './template/starters.ts';

export interface TemplateActions {
  readonly onNew: () => void;
  readonly onEdit: (template: QuestionTemplate) => void;
  readonly onCopy: (template: QuestionTemplate) => void;
  readonly onDelete: (template: QuestionTemplate) => void;
  /** Makes a ready template the teacher's own. */
  readonly onTake: (body: TemplateBody) => void;
}

const about = ({ theme, topic, difficulty }: TemplateBody) =>
  [theme && subjectLabel(theme), topic, difficulty && difficultyLabel(difficulty).toLowerCase()]
    .filter(Boolean)
    .join(', ');

/** What a template shall give: so many questions, or variants of one. */
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
        checked={chosen.perStudent}
        onChange={(perStudent) => onChange({ ...chosen, perStudent })}
      />
    </div>
  );
}

/** The teacher's templates: what they give to the draw, and what can be done with them. */
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
  /** Why the last action did not work; null: it did. */
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
    <section className={classes.card} aria-labelledby="from-templates">
      <div className={classes.head}>
        <h2 id="from-templates">По шаблонам</h2>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPlus size={20} stroke={1.75} aria-hidden />}
          onClick={actions.onNew}
        >
          Новый шаблон
        </Button>
      </div>
      <div role="alert">{failure !== null && <FieldError>{failure}</FieldError>}</div>
      {templates.length === 0 ? (
        <>
          <p className={classes.quiet}>
            Шаблон это вопрос с переменными: по нему получается столько вариантов, сколько нужно.
            Начните с готового или создайте свой.
          </p>
          <ul className={classes.starters}>
            {STARTERS.map((body) => (
              <li key={body.title} className={classes.starter}>
                <div>
                  <p>{body.title}</p>
                  <p className={classes.quiet}>{about(body)}</p>
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
              </li>
            ))}
          </ul>
        </>
      ) : (
        <ul className={classes.rows}>
          {templates.map((template) => {
            const { templateId, body } = template;
            const own = chosen.find((one) => one.templateId === templateId);
            return (
              <li key={templateId} className={classes.template}>
                <SwitchField
                  label={body.title}
                  description={about(body) || undefined}
                  checked={own !== undefined}
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
        </ul>
      )}
    </section>
  );
}
