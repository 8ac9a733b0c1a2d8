import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { JoinCode } from '#contract/groups.ts';
import { readJoinCode } from '#domain/join-codes.ts';
import { TextField } from '#app/ui/TextField.tsx';
import classes from './JoinPage.module.css';

export interface JoinByCodeProps {
  /** What was tried before. */
  initial?: string;
  /** Why that did not do; empty: nothing was tried. */
  refusal?: string;
}

/** Takes the code of a class as a pupil types it off the board. */
export function JoinByCode({ initial = '', refusal = '' }: JoinByCodeProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(initial);
  const [error, setError] = useState(refusal);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refusal !== '') field.current?.focus();
  }, [refusal]);
  const send = () => {
    const parsed = v.safeParse(JoinCode, typed);
    const code = parsed.success ? readJoinCode(parsed.output) : '';
    if (!parsed.success || code === '' || code === readJoinCode(initial)) {
      setError(parsed.success ? refusal || 'Введите код класса' : parsed.issues[0].message);
      field.current?.focus();
      return;
    }
    void navigate({ to: '/join/$code', params: { code } });
  };
  return (
    <form
      className={classes.card}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextField
        ref={field}
        label="Код класса"
        description="Его показывает преподаватель. Можно писать русскими буквами и без дефиса"
        type="text"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        error={error}
        onChange={(event) => {
          setTyped(event.target.value);
          setError('');
        }}
      />
      <Button type="submit">Найти класс</Button>
    </form>
  );
}
