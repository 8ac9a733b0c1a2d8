import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import * as v from 'valibot';
import { Points } from '#contract/primitives.ts';
import { QuestionTopic, Tags } from '#contract/questions.ts';
import { Difficulty } from '#contract/themes.ts';
import { formatCount, type Forms } from '#domain/format.ts';
import { difficultyLabel } from '#domain/labels.ts';
import { NumberField } from '#app/ui/NumberField.tsx';
import { SelectField } from '#app/ui/SelectField.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import type { BulkChange } from './edits.ts';
import classes from './editor.module.css';

const FOR_QUESTIONS: Forms = ['вопроса', 'вопросов', 'вопросов'];

interface BulkSheetProps {
  ids: readonly string[];
  onClose: () => void;
  onChange: (change: BulkChange, label: string) => void;
}

/** A number as teachers type it: comma or point, at most two decimals; null: none. */
function pointsOf(typed: string): number | null {
  const value = typed.trim().replace(',', '.');
  if (!/^\d+(?:\.\d{1,2})?$/.test(value)) return null;
  const points = Number(value);
  return points > 0 && v.is(Points, points) ? points : null;
}

/** «Баллы для 5 вопросов». */
export function PointsSheet({ ids, onClose, onChange }: BulkSheetProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    const points = pointsOf(typed);
    if (points === null) {
      setError('Число больше нуля, не больше двух знаков после запятой');
      return;
    }
    onChange({ points }, `Баллы: ${formatCount(ids.length, FOR_QUESTIONS)}`);
    onClose();
  };
  return (
    <Sheet opened onClose={onClose} title={`Баллы для ${formatCount(ids.length, FOR_QUESTIONS)}`}>
      <form className={classes.bulk} onSubmit={send} noValidate>
        <NumberField
          data-autofocus
          label="Баллов за каждый"
          inputMode="decimal"
          value={typed}
          error={error}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setError('');
          }}
        />
        <Button type="submit">Поставить</Button>
      </form>
    </Sheet>
  );
}

const AS_IT_IS = 'asItIs';
const NONE = 'none';
const DIFFICULTIES = [
  { value: AS_IT_IS, label: 'Не менять' },
  ...Difficulty.options.map((value) => ({ value, label: difficultyLabel(value) })),
  { value: NONE, label: 'Убрать' },
];

/** «Сложность, тема, метки» of several questions; what is left empty stays as it is. */
export function PropertiesSheet({ ids, onClose, onChange }: BulkSheetProps) {
  const [difficulty, setDifficulty] = useState(AS_IT_IS);
  const [topic, setTopic] = useState('');
  const [tags, setTags] = useState('');
  const [errors, setErrors] = useState({ topic: '', tags: '' });
  const send = (event: FormEvent) => {
    event.preventDefault();
    const givenTopic = v.safeParse(QuestionTopic, topic);
    const givenTags = v.safeParse(
      Tags,
      tags
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    );
    const level = v.safeParse(Difficulty, difficulty);
    if (!givenTopic.success || !givenTags.success) {
      setErrors({
        topic: givenTopic.success ? '' : (givenTopic.issues[0]?.message ?? ''),
        tags: givenTags.success ? '' : (givenTags.issues[0]?.message ?? ''),
      });
      return;
    }
    const change: BulkChange = {
      ...(level.success ? { difficulty: level.output } : {}),
      ...(difficulty === NONE ? { difficulty: null } : {}),
      ...(givenTopic.output === '' ? {} : { topic: givenTopic.output }),
      ...(givenTags.output.length === 0 ? {} : { addTags: givenTags.output }),
    };
    if (Object.keys(change).length > 0) {
      onChange(change, `Свойства: ${formatCount(ids.length, FOR_QUESTIONS)}`);
    }
    onClose();
  };
  return (
    <Sheet opened onClose={onClose} title={`Свойства ${formatCount(ids.length, FOR_QUESTIONS)}`}>
      <form className={classes.bulk} onSubmit={send} noValidate>
        <SelectField
          native
          label="Сложность"
          choices={DIFFICULTIES}
          value={difficulty}
          onChange={setDifficulty}
        />
        <TextField
          type="text"
          label="Тема"
          description="Пусто: темы останутся как были"
          value={topic}
          error={errors.topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
        />
        <TextField
          type="text"
          label="Добавить метки"
          description="Через запятую"
          value={tags}
          error={errors.tags}
          onChange={(event) => setTags(event.currentTarget.value)}
        />
        <Button type="submit">Применить</Button>
      </form>
    </Sheet>
  );
}
