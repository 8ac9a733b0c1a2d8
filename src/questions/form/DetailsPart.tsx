import { Box, Flex, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { QUESTION_TITLE_CHARACTERS } from '#contract/limits.ts';
import type { Passage, Question } from '#contract/questions.ts';
import type { Difficulty } from '#contract/themes.ts';
import { DIFFICULTY_CHOICES } from '#domain/choices.ts';
import { questionLabel } from '#domain/question-label.ts';
import { newId } from '#app/lib/new-id.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { LimitedTextField } from '#app/ui/forms/LimitedField.tsx';
import { optional } from './parts.ts';
import classes from './QuestionForm.module.css';
import { TagsField } from './TagsField.tsx';
import { PAIRS } from '#app/ui/columns.ts';

const TOPIC_CHARACTERS = 200;
const DIFFICULTIES = [{ value: '', label: 'Не указана' }, ...DIFFICULTY_CHOICES] as const;

const NEW = 'new';

/** The shared text, and metadata for lists and the bank, which students never see. */
export function DetailsPart({
  question,
  passages,
  onChange,
}: {
  question: Question;
  passages: readonly Passage[];
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
  const setPassage = (value: string) => {
    const { passage: _, ...rest } = question;
    const known =
      value === NEW
        ? { passageId: newId(), text: '' }
        : passages.find(({ passageId }) => passageId === value);
    onChange(known ? { ...rest, passage: known } : rest, `passage:${value}`);
  };
  const own = question.passage;
  const others = passages.filter(({ passageId }) => passageId !== own?.passageId);
  const setTags = (next: readonly string[]) => {
    const { tags: _, ...rest } = question;
    onChange(next.length === 0 ? rest : { ...rest, tags: [...next] }, 'tags');
  };
  return (
    <details className="line-above">
      <Flex component="summary" wrap="wrap" gap="0 0.5rem" pt="xs" fw={500}>
        <Icon of={IconChevronDown} className="chevron" />
        Дополнительно
        <Text span size="sm" c="dimmed">
          общий текст, название, тема, сложность, метки
        </Text>
      </Flex>
      <Box {...PAIRS} className={classes.fields}>
        <SelectField
          label="Какой общий текст"
          native
          choices={[
            { value: '', label: 'Нет' },
            ...[...(own ? [own] : []), ...others].map((passage) => ({
              value: passage.passageId,
              label: questionLabel(passage),
            })),
            { value: NEW, label: 'Новый текст для этого и других вопросов' },
          ]}
          value={own?.passageId ?? ''}
          onChange={setPassage}
        />
        <LimitedTextField
          label="Название"
          description="Короткое имя для списков. Ученик его не видит."
          type="text"
          error=""
          value={title}
          maxLength={QUESTION_TITLE_CHARACTERS}
          onChange={(text) => setText('title', text)}
        />
        <LimitedTextField
          label="Тема"
          type="text"
          error=""
          value={topic}
          maxLength={TOPIC_CHARACTERS}
          onChange={(text) => setText('topic', text)}
        />
        <SelectField
          label="Сложность"
          native
          choices={DIFFICULTIES}
          value={difficulty ?? ''}
          onChange={setDifficulty}
        />
        <TagsField tags={tags} onChange={setTags} />
      </Box>
    </details>
  );
}
