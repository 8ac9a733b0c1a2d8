import { Button, Flex, Group, Stack, Text } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ROLE, type User } from '#contract/auth.ts';
import { exportOwnData } from '#contract/profile.ts';
import { download } from '#app/api/download.ts';
import { DataDownload } from '#app/lib/DataDownload.tsx';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { ShortcutsSwitch } from '#app/ui/forms/ShortcutsSwitch.tsx';
import { RoleBadge } from '#app/ui/data/RoleBadge.tsx';
import { EraseModal } from './EraseModal.tsx';
import { NameForm } from './NameForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { secondFactorQuery } from './queries.ts';
import { SecondFactorSection } from './second-factor/SecondFactorSection.tsx';
import { Sessions } from './Sessions.tsx';

export interface ProfilePageProps {
  user: User;
  /** Called when the name was changed, for the header. */
  onChanged: (user: User) => void;
  /** Called when the account was erased. */
  onErased: () => void;
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Flex component="section" direction="column" gap="md" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </Flex>
  );
}

interface FactorState {
  /** A required second factor is missing; null: not loaded yet. Nothing else works until it is set up. */
  isDue: boolean | null;
  /** Whether it is shown first: fixed while the page is open, since recovery codes are shown only once. */
  isFirst: boolean | null;
}

function useFactorState(isEnabled: boolean): FactorState {
  const { data, isError } = useQuery({ ...secondFactorQuery, enabled: isEnabled });
  const isDue = data
    ? data.isRequired && !data.totp && data.passkeys.length === 0
    : isEnabled && !isError
      ? null
      : false;
  const [isFirst, setFirst] = useState<boolean | null>(null);
  if (isFirst === null && isEnabled && isDue !== null) setFirst(isDue);
  return { isDue, isFirst };
}

/** Download and erasure of everything stored about the person. */
function OwnData({ user, onErased }: Pick<ProfilePageProps, 'user' | 'onErased'>) {
  const [isErasing, setErasing] = useState(false);
  return (
    <>
      <Section id="profile-data" title="Мои данные">
        <p>
          Всё, что сайт хранит о вас, можно скачать одним архивом: учётная запись, попытки, ответы,
          оценки, файлы и проекты.
        </p>
        <Group gap="xs" align="flex-start">
          <DataDownload
            label="Скачать мои данные"
            fetch={(options) => download(exportOwnData, {}, options)}
          />
          <Button
            variant="default"
            leftSection={<Icon of={IconEraser} />}
            onClick={() => setErasing(true)}
          >
            Стереть учётную запись
          </Button>
        </Group>
      </Section>
      <EraseModal
        user={user}
        opened={isErasing}
        onClose={() => setErasing(false)}
        onErased={onErased}
      />
    </>
  );
}

/** «Профиль»: name, password, sign-ins, own data. */
export function ProfilePage({ user, onChanged, onErased }: ProfilePageProps) {
  const { isDue, isFirst: isFactorFirst } = useFactorState(user.role !== ROLE.student);
  const factorSection = (
    <Section id="profile-factor" title="Вход в два шага">
      <SecondFactorSection />
    </Section>
  );
  return (
    <Stack gap="xl" maw="40rem">
      {isFactorFirst === true && factorSection}
      <Section id="profile-account" title="Учётная запись">
        <DefinitionRows
          rows={[
            { label: 'Почта', value: user.email },
            { label: 'Роль', value: <RoleBadge role={user.role} /> },
          ]}
        />
        <Text size="sm" c="dimmed">
          Почту и роль меняет администратор школы.
        </Text>
        {isDue === false && <NameForm user={user} onChanged={onChanged} />}
      </Section>
      {isDue === false && (
        <Section id="profile-password" title="Пароль">
          <PasswordForm email={user.email} />
        </Section>
      )}
      {isFactorFirst === false && factorSection}
      <Section id="profile-keys" title="Клавиши">
        <ShortcutsSwitch />
      </Section>
      {isDue === false && (
        <>
          <Section id="profile-sessions" title="Входы на устройствах">
            <Sessions />
          </Section>
          <OwnData user={user} onErased={onErased} />
        </>
      )}
    </Stack>
  );
}
