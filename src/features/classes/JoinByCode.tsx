import { Stack } from '@mantine/core';
import { setError } from '@modular-forms/react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import * as v from 'valibot';
import { JoinCode } from '#contract/groups.ts';
import { readJoinCode } from '#domain/join-codes.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';

export interface JoinByCodeProps {
  /** The previously entered code. */
  initial?: string;
  /** Why that code failed; empty: none was entered. */
  refusal?: string;
}

/** The surface of what a student reads about joining a class. */
export const JOIN_CARD = {
  className: 'break-anywhere card-from-desktop',
  maw: '32rem',
  p: { base: '0.5rem 0 0', md: '1.5rem' },
} as const;

/** Form for the join code of a class. */
export function JoinByCode({ initial = '', refusal = '' }: JoinByCodeProps) {
  const navigate = useNavigate();
  const isOther = (code: string) => code !== '' && code !== readJoinCode(initial);
  const form = useAppForm({
    schema: v.object({
      code: v.pipe(
        JoinCode,
        v.transform(readJoinCode),
        v.check(isOther, refusal || 'Введите код класса'),
      ),
    }),
    initialValues: { code: initial },
    send: ({ code }) => navigate({ to: '/join/$code', params: { code } }),
  });
  useEffect(() => {
    if (refusal !== '') setError(form.store, 'code', refusal);
  }, [form.store, refusal]);
  return (
    <Stack {...JOIN_CARD}>
      <AppForm of={form}>
        <FormField
          of={form}
          name="code"
          label="Код класса"
          description="Его показывает преподаватель. Можно писать русскими буквами и без дефиса"
          type="text"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <FormFoot of={form} label="Найти класс" />
      </AppForm>
    </Stack>
  );
}
