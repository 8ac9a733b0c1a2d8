import { Box, Button, Text } from '@mantine/core';
import { IconChevronDown, IconShieldCheck } from '@tabler/icons-react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import classes from './ai.module.css';

export interface DisclosurePanelProps {
  readonly host: string;
  readonly model: string;
  readonly isDisclosed: boolean;
  /** A request was made before acknowledging. */
  readonly isMissed: boolean;
  readonly onDisclosed: () => void;
}

/** «Что уйдёт провайдеру»: expanded until acknowledged, then collapsed. */
export function DisclosurePanel({
  host,
  model,
  isDisclosed,
  isMissed,
  onDisclosed,
}: DisclosurePanelProps) {
  return (
    <Text
      component="details"
      className={cx('line-above', classes.disclosure)}
      size="sm"
      pt="sm"
      open={!isDisclosed}
    >
      <Box component="summary" fw={500}>
        <Icon of={IconShieldCheck} />
        Что уйдёт провайдеру
        <Icon of={IconChevronDown} size={16} />
      </Box>
      <p>
        Вопросы пишет модель <b>{model}</b> на <b>{host}</b>. Туда уйдут:
      </p>
      <ul>
        <li>тема, предмет, сложность и пожелания;</li>
        <li>вставленный текст или текст документа;</li>
        <li>начала вопросов этого теста, чтобы они не повторялись;</li>
        <li>вопрос целиком, если вы просите его изменить.</li>
      </ul>
      <p>
        Имена учеников, их ответы и другие тесты не уходят. Не вставляйте в текст чужих личных
        данных. Сам ИИ ничего не публикует: каждый вопрос принимаете вы.
      </p>
      {!isDisclosed && (
        <p>
          <Button size="sm" variant="default" onClick={onDisclosed}>
            Понятно
          </Button>
        </p>
      )}
      <div role="alert">
        {isMissed && !isDisclosed && (
          <FieldError>Сначала прочтите, что уйдёт провайдеру, и нажмите «Понятно»</FieldError>
        )}
      </div>
    </Text>
  );
}
