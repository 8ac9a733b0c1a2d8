import { Button } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ROLE, type User } from '#contract/auth.ts';
import { exportOwnData } from '#contract/profile.ts';
import { download } from '#app/api/download.ts';
import { DataDownload } from '#app/offline/DataDownload.tsx';
import { DefinitionRows } from '#app/ui/DefinitionRows.tsx';
import { RoleBadge } from '#app/ui/RoleBadge.tsx';
import { EraseSheet } from './EraseSheet.tsx';
import { NameForm } from './NameForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import classes from './Profile.module.css';
import { secondFactorQuery } from './queries.ts';
import { SecondFactorSection } from './second-factor/SecondFactorSection.tsx';
import { Sessions } from './Sessions.tsx';

export interface ProfilePageProps {
  user: User;
  /** The name was changed: the header shows it at once. */
  onChanged: (user: User) => void;
  /** The account is gone. */
  onErased: () => void;
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/**
 * Whether a second factor must be set up, which is then told before all else; null: not known yet, or
 * no matter. The place stays while the page is open: what is shown there is shown once.
 */
function useFactorFirst(isAsked: boolean): boolean | null {
  const { data, isError } = useQuery({ ...secondFactorQuery, enabled: isAsked });
  const [isFirst, setFirst] = useState<boolean | null>(null);
  if (isFirst === null && isAsked && (data !== undefined || isError))
    setFirst(data !== undefined && data.isRequired && !data.totp && data.passkeys.length === 0);
  return isFirst;
}

/** «Профиль»: name, password, sign-ins, own data. */
export function ProfilePage({ user, onChanged, onErased }: ProfilePageProps) {
  const [isErasing, setErasing] = useState(false);
  const hasFactors = user.role !== ROLE.student;
  const isFactorFirst = useFactorFirst(hasFactors);
  const factorSection = (
    <Section id="profile-factor" title="Вход в два шага">
      <SecondFactorSection />
    </Section>
  );
  return (
    <div className={classes.page}>
      {isFactorFirst === true && factorSection}
      <Section id="profile-account" title="Учётная запись">
        <DefinitionRows
          rows={[
            { label: 'Почта', value: user.email },
            { label: 'Роль', value: <RoleBadge role={user.role} /> },
          ]}
        />
        <p className={classes.quiet}>Почту и роль меняет администратор школы.</p>
        <NameForm user={user} onChanged={onChanged} />
      </Section>
      <Section id="profile-password" title="Пароль">
        <PasswordForm email={user.email} />
      </Section>
      {isFactorFirst === false && factorSection}
      <Section id="profile-sessions" title="Входы на устройствах">
        <Sessions />
      </Section>
      <Section id="profile-data" title="Мои данные">
        <p>
          Всё, что сайт хранит о вас, можно скачать одним архивом: учётная запись, попытки, ответы,
          оценки, файлы и проекты.
        </p>
        <div className={classes.buttons}>
          <DataDownload
            label="Скачать мои данные"
            fetch={(options) => download(exportOwnData, {}, options)}
          />
          <Button
            variant="default"
            leftSection={<IconEraser size={20} stroke={1.75} aria-hidden />}
            onClick={() => setErasing(true)}
          >
            Стереть учётную запись
          </Button>
        </div>
      </Section>
      <EraseSheet
        user={user}
        opened={isErasing}
        onClose={() => setErasing(false)}
        onErased={onErased}
      />
    </div>
  );
}
