import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import * as v from 'valibot';
import { GroupName } from '#contract/groups.ts';
import { GuardedSheet } from '#app/ui/GuardedSheet.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import { useToldDirty } from '#app/ui/use-told-dirty.ts';
import classes from './Forms.module.css';
import { problemWords } from './problem-words.ts';

export interface NameSheetProps {
  opened: boolean;
  onClose: () => void;
  /** A question or the name of the deed. */
  title: string;
  /** The name as it is now. */
  initial: string;
  submit: string;
  /** Rejects with what the server said. */
  save: (name: string) => Promise<void>;
}

interface NameFormProps extends Pick<NameSheetProps, 'initial' | 'submit' | 'save'> {
  onDirty: (isDirty: boolean) => void;
}

function NameForm({ initial, submit, save, onDirty }: NameFormProps) {
  const [name, setName] = useState(initial);
  const [error, setError] = useState('');
  const [isSaving, setSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useToldDirty(name !== initial && !isSaving, onDirty);
  const fail = (words: string) => {
    setError(words);
    field.current?.focus();
  };
  const send = async () => {
    const parsed = v.safeParse(GroupName, name);
    if (!parsed.success) return fail(parsed.issues[0].message);
    setSaving(true);
    try {
      await save(parsed.output);
    } catch (cause) {
      fail(problemWords(cause) ?? '');
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        ref={field}
        data-autofocus
        label="Название класса"
        description="Например, 9А или «Физика, вторая группа»"
        type="text"
        autoComplete="off"
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.target.value);
          setError('');
        }}
      />
      <Button type="submit" fullWidth loading={isSaving}>
        {submit}
      </Button>
    </form>
  );
}

/** Asks for the name of a class, a new one or another one. */
export function NameSheet({ opened, onClose, title, ...form }: NameSheetProps) {
  const [isDirty, setDirty] = useState(false);
  return (
    <GuardedSheet
      opened={opened}
      onClose={onClose}
      title={title}
      isDirty={isDirty}
      unsaved="Введённое название ещё не сохранено и пропадёт."
    >
      <NameForm {...form} onDirty={setDirty} />
    </GuardedSheet>
  );
}
