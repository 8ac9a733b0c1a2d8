import { Button } from '@mantine/core';
import { useState } from 'react';
import { TextAreaField } from '#app/ui/TextAreaField.tsx';
import classes from './ai.module.css';

const MOST = 2_000;

/** A wish in the teacher's own words. */
export function WishField({
  onAsk,
  onClose,
}: {
  onAsk: (wishes: string) => void;
  onClose: () => void;
}) {
  const [wishes, setWishes] = useState('');
  const [error, setError] = useState('');
  return (
    <div className={classes.wish}>
      <TextAreaField
        label="Что изменить"
        rows={2}
        maxLength={MOST}
        value={wishes}
        error={error}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the teacher to be written into
        autoFocus
        onChange={(event) => {
          setWishes(event.currentTarget.value);
          setError('');
        }}
      />
      <div className={classes.foot}>
        <Button
          size="sm"
          onClick={() => {
            if (wishes.trim() === '') setError('Напишите, что изменить');
            else onAsk(wishes);
          }}
        >
          Попросить
        </Button>
        <Button size="sm" variant="default" onClick={onClose}>
          Не надо
        </Button>
      </div>
    </div>
  );
}
