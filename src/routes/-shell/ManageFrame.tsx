import type { ReactNode } from 'react';
import { Tabs } from '#app/ui/Tabs.tsx';
import { ShellPage, ShellRouterLink, usePath } from './ShellPage.tsx';

/** Pages of one test for those who may edit it: content, settings, preview, and what became of it. */
export function ManageFrame({
  testId,
  title,
  titleAside,
  actions,
  children,
}: {
  testId: string;
  title: string;
  titleAside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const path = usePath();
  const root = `/tests/manage/${testId}`;
  const tab = (name: string, label: string) => ({
    to: `${root}/${name}`,
    label,
    active: path === `${root}/${name}` || path.startsWith(`${root}/${name}/`),
  });
  return (
    <ShellPage
      rail
      title={title}
      titleAside={titleAside}
      actions={actions}
      back={{ to: '/tests/my/created', label: 'К созданным тестам' }}
    >
      <Tabs
        label="Тест"
        link={ShellRouterLink}
        tabs={[
          tab('edit', 'Содержание теста'),
          tab('settings', 'Настройки'),
          tab('preview', 'Предпросмотр'),
          tab('live', 'Ход теста'),
          tab('grading', 'Проверка'),
          tab('statistics', 'Статистика'),
        ]}
      />
      {children}
    </ShellPage>
  );
}
