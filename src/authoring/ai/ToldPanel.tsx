import { Button } from '@mantine/core';
import { IconChevronDown, IconShieldCheck } from '@tabler/icons-react';
import { FieldError } from '#app/ui/FieldError.tsx';
import classes from './ai.module.css';

export interface ToldPanelProps {
  readonly host: string;
  readonly model: string;
  readonly isTold: boolean;
  /** It was asked to write before this was read. */
  readonly isMissed: boolean;
  readonly onTold: () => void;
}

/** «Что уйдёт провайдеру»: open until it is acknowledged, folded from then on. */
export function ToldPanel({ host, model, isTold, isMissed, onTold }: ToldPanelProps) {
  return (
    <details className={classes.told} open={!isTold}>
      <summary>
        <IconShieldCheck size={20} stroke={1.75} aria-hidden />
        Что уйдёт провайдеру
        <IconChevronDown size={16} stroke={2} aria-hidden />
      </summary>
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
      {!isTold && (
        <p>
          <Button size="sm" variant="default" onClick={onTold}>
            Понятно
          </Button>
        </p>
      )}
      <div role="alert">
        {isMissed && !isTold && (
          <FieldError>Сначала прочтите, что уйдёт провайдеру, и нажмите «Понятно»</FieldError>
        )}
      </div>
    </details>
  );
}
