import { Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { QUESTION_TITLE_CHARACTERS } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { Difficulty } from '#contract/themes.ts';
import { difficultyLabel } from '#domain/labels.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { TextField } from '#app/ui/forms/TextField.tsx';
import { optional } from './parts.ts';
import classes from './QuestionForm.module.css';
import { TagsField } from './TagsField.tsx';

const TOPIC_CHARACTERS = 200;
const DIFFICULTIES = [
  { value: '', label: 'Не указана' },
  ...Difficulty.options.map((value) => ({ value, label: difficultyLabel(value) })),
] as const;

/** Metadata for lists and the bank; students never see it. */
export function DetailsPart({
  question,
  onChange,
}: {
  question: Question;
  onChange: (question: Question, field: string) => void;
}) {
  const { title = '', topic = '', difficulty, tags = [] } = question;
  const setText = (name: 'title' | 'topic', text: string) => {
    const { [name]: _, ...rest } = question;
    onChange({ ...rest, ...optional(name, text) }, name);
  };
  const setDifficulty = (value: Difficulty | '') => {
    const { difficulty: _, ...rest } = question;
    onChange(value === '' ? rest : { ...rest, difficulty: value }, 'difficulty');
  };
  const setTags = (next: readonly string[]) => {
    const { tags: _, ...rest } = question;
    onChange(next.length === 0 ? rest : { ...rest, tags: [...next] }, 'tags');
  };
  return (
    <details className={classes.details}>
      <summary>
        <Icon of={IconChevronDown} />
        Дополнительно
        <Text span size="sm" c="dimmed">
          название, тема, сложность, метки
        </Text>
      </summary>
      <div className={classes.detailFields}>
        <TextField
          label="Название"
          description="Короткое имя для списков. Ученик его не видит."
          type="text"
          error=""
          value={title}
          maxLength={QUESTION_TITLE_CHARACTERS}
          onChange={(event) => setText('title', event.currentTarget.value)}
        />
        <TextField
          label="Тема"
          type="text"
          error=""
          value={topic}
          maxLength={TOPIC_CHARACTERS}
          onChange={(event) => setText('topic', event.currentTarget.value)}
        />
        <SelectField
          label="Сложность"
          native
          choices={DIFFICULTIES}
          value={difficulty ?? ''}
          onChange={setDifficulty}
        />
        <TagsField tags={tags} onChange={setTags} />
      </div>
    </details>
  );
}
