import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconPrinter } from '@tabler/icons-react';
import type { AdminUser } from '#contract/admin.ts';
import { roleLabel } from '#domain/labels.ts';
import { useCopied } from '#app/lib/use-copied.ts';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { PrintedCards } from '#app/ui/data/PrintedCards.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';

/** A generated password and its owner. */
export interface MadePassword {
  user: AdminUser;
  password: string;
}

function Shown({ user, password }: MadePassword) {
  const { state, copy } = useCopied(password);
  const { userId, userName, email, role } = user;
  return (
    <Stack>
      <InlineNote tone="warn">
        Пароль виден только сейчас: сайт хранит его так, что прочитать нельзя. Передайте его
        владельцу учётной записи.
      </InlineNote>
      <DefinitionRows
        rows={[
          { label: 'Имя', value: userName },
          { label: 'Почта для входа', value: email },
          {
            label: 'Пароль',
            value: (
              <Text
                component="b"
                inherit
                fz="xl"
                fw={600}
                lts="0.02em"
                className="tabular"
                style={{ userSelect: 'all' }}
              >
                {password}
              </Text>
            ),
          },
        ]}
      />
      <Group className="wide-on-phones" gap="xs">
        <Button
          variant="default"
          leftSection={state === 'copied' ? <Icon of={IconCheck} /> : <Icon of={IconCopy} />}
          onClick={copy}
        >
          {state === 'copied' ? 'Скопировано' : 'Скопировать'}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon of={IconPrinter} />}
          onClick={() => window.print()}
        >
          Напечатать карточку
        </Button>
      </Group>
      <div role="alert">
        {state === 'failed' && (
          <FieldError>Скопировать не удалось. Выделите пароль и скопируйте сами</FieldError>
        )}
      </div>
      <PrintedCards cards={[{ userId, userName, email, password }]} group={roleLabel(role)} />
    </Stack>
  );
}

/** Shows a generated password, which exists only in this page's memory. */
export function ShownPassword({
  made,
  onClose,
}: {
  made: MadePassword | null;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={made !== null}
      onClose={onClose}
      title="Пароль для входа"
      footer={<Button onClick={onClose}>Готово</Button>}
    >
      {made && <Shown {...made} />}
    </Modal>
  );
}
