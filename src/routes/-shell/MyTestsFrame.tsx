import type { ReactNode } from 'react';
import { isTeacherLevel } from '#domain/roles.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { Tabs } from '#app/ui/layout/Tabs.tsx';
import { ShellPage, usePath } from './ShellPage.tsx';
import { ShellRouterLink } from './ShellRouterLink.tsx';

/** «Мои тесты» with its tabs; the third one is for teachers. */
export function MyTestsFrame({
  titleAside,
  actions,
  children,
}: {
  titleAside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const user = useSession()?.user;
  const path = usePath();
  const tabs = [
    { to: '/tests/my', label: 'Назначенные мне' },
    { to: '/tests/my/passed', label: 'Пройденные' },
    ...(user && isTeacherLevel(user.role)
      ? [{ to: '/tests/my/created', label: 'Созданные мной' }]
      : []),
  ];
  return (
    <ShellPage title="Мои тесты" titleAside={titleAside} actions={actions}>
      <Tabs
        label="Мои тесты"
        link={ShellRouterLink}
        tabs={tabs.map((tab) => ({ ...tab, active: path === tab.to }))}
      />
      {children}
    </ShellPage>
  );
}
