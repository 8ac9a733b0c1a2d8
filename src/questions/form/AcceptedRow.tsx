import { ActionIcon, Flex, Group, Text, TextInput } from '@mantine/core';
import { IconMessage, IconPlusMinus, IconTrash } from '@tabler/icons-react';
import { useContext, useId, useRef, useState } from 'react';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { withoutInvisible } from '#domain/format-typed.ts';
import { parseNumber } from '#domain/normalise.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { SIGN_SECTION, SignKey } from '#app/ui/forms/SignKey.tsx';
import { useTextLimit } from '#app/ui/forms/use-text-limit.ts';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { FeedbackField } from './FeedbackField.tsx';
import { NumberInput } from './NumberInput.tsx';
import { optional, type Of } from './parts.ts';
import classes from './QuestionForm.module.css';

type Accepted = Of<'open'>['accepted'][number];

export interface AcceptedRowProps {
  readonly accepted: Accepted;
  readonly number: number;
  readonly input: Of<'open'>['input'];
  readonly onChange: (accepted: Accepted, field: string) => void;
  readonly onRemove: () => void;
  readonly onEnter: () => void;
}

const SHARE = { min: 0, max: 100, digits: 2, empty: 100 };
const TOLERANCE = { min: 0, max: 1e12, digits: 10, empty: 0 };

/** One accepted answer: its text, its share of the points, its feedback. */
export function AcceptedRow(props: AcceptedRowProps) {
  const { accepted, number, input, onChange } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isTelling, setTelling] = useState(false);
  const { text, share, tolerance, feedback = '' } = accepted;
  const typing = useTextLimit(
    text,
    undefined,
    (typed) => onChange({ ...accepted, text: typed }, 'answer'),
    withoutInvisible,
  );
  const isNumber = parseNumber(text) !== null;
  const fault =
    input === 'number' && text.trim() !== '' && !isNumber
      ? 'Это не число, а ученик вводит число'
      : '';
  const setTolerance = (next: number | undefined) => {
    const { tolerance: _, ...rest } = accepted;
    onChange(next === undefined ? rest : { ...rest, tolerance: next }, 'own-tolerance');
  };
  return (
    <li className={classes.accepted}>
      <TextInput
        className={classes.text}
        lang={useContext(ContentLanguage)}
        {...typing.field}
        ref={field}
        {...(input === 'number' && { ...SIGN_SECTION, rightSection: <SignKey of={field} /> })}
        aria-label={`Ответ ${number}`}
        placeholder={`Ответ ${number}`}
        autoComplete="off"
        error={fault}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) props.onEnter();
          else if (event.key === 'Backspace' && text === '' && !event.repeat && number > 1) {
            event.preventDefault();
            props.onRemove();
          }
        }}
      />
      <NumberInput
        id={`${id}-share`}
        label={`Доля баллов за ответ ${number}, %`}
        value={Math.round(share * 10_000) / 100}
        bounds={SHARE}
        unit="%"
        onChange={(percent) => onChange({ ...accepted, share: percent / 100 }, 'share')}
      />
      <Flex className={classes.buttons} align="center" h="var(--app-input)">
        <RowMenu
          label={`Действия с ответом ${number}`}
          actions={[
            { icon: IconMessage, label: 'Отзыв на этот ответ', onClick: () => setTelling(true) },
            ...(isNumber
              ? [
                  tolerance === undefined
                    ? { icon: IconPlusMinus, label: 'Свой допуск', onClick: () => setTolerance(0) }
                    : {
                        icon: IconPlusMinus,
                        label: 'Общий допуск',
                        onClick: () => setTolerance(undefined),
                      },
                ]
              : []),
          ]}
        />
        <ActionIcon aria-label={`Удалить ответ ${number}`} onClick={props.onRemove}>
          <Icon of={IconTrash} />
        </ActionIcon>
      </Flex>
      {tolerance !== undefined && (
        <Group gap="0.25rem 0.75rem" style={{ gridArea: 'tolerance' }}>
          <Text component="label" htmlFor={`${id}-tolerance`} size="sm" c="dimmed">
            Допуск этого ответа, ±
          </Text>
          <NumberInput
            id={`${id}-tolerance`}
            value={tolerance}
            bounds={TOLERANCE}
            onChange={setTolerance}
          />
        </Group>
      )}
      {(isTelling || feedback !== '') && (
        <FeedbackField
          label={`Отзыв на ответ ${number}`}
          value={feedback}
          onChange={(words) => {
            const { feedback: _, ...rest } = accepted;
            onChange({ ...rest, ...optional('feedback', words) }, 'feedback');
          }}
        />
      )}
    </li>
  );
}
