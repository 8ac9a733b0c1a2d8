import { Button, Group, Stack } from '@mantine/core';
import { LimitedTextarea } from '#app/ui/forms/LimitedField.tsx';
import { useState } from 'react';

const MOST = 2_000;

/** Free-text wish of the teacher. */
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
    <Stack gap="sm" mt="md">
      <LimitedTextarea
        label="Что изменить"
        rows={2}
        maxLength={MOST}
        value={wishes}
        error={error}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the teacher to be written into
        autoFocus
        onChange={(text) => {
          setWishes(text);
          setError('');
        }}
      />
      <Group gap="sm" align="stretch">
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
      </Group>
    </Stack>
  );
}
