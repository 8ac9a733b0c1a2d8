import { Group } from '@mantine/core';
import { useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DraftEditor } from '#app/authoring/draft/draft.ts';
import { readEditMode } from '#app/authoring/edit-mode.ts';
import { settingsQuery } from '#app/authoring/queries.ts';
import { languageOf } from '#domain/languages.ts';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { TestActions } from '#app/features/created-tests/TestActions.tsx';
import { isNotFound } from '#app/lib/failure-messages.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Tabs } from '#app/ui/layout/Tabs.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import classes from './ManageFrame.module.css';
import { ShellPage, usePath } from './ShellPage.tsx';
import { ShellRouterLink } from './ShellRouterLink.tsx';

const BACK = { to: '/tests/my/created', label: 'К созданным тестам' };

/** Tabs of one test; «Содержание теста» opens the last edit mode and is active for all three. */
function useTabs(testId: string) {
  const { app } = useRouteContext({ from: '__root__' });
  const path = usePath();
  const root = `/tests/manage/${testId}`;
  const tab = (name: string, label: string, to = `${root}/${name}`) => ({
    to,
    label,
    active: path === `${root}/${name}` || path.startsWith(`${root}/${name}/`),
  });
  return [
    tab('edit', 'Содержание теста', `${root}/edit/${readEditMode(app.local, testId)}`),
    tab('settings', 'Настройки'),
    tab('preview', 'Предпросмотр'),
    tab('live', 'Ход теста'),
    tab('grading', 'Проверка'),
    tab('statistics', 'Статистика'),
  ];
}

/** Frame of the pages of one test for its editors: content, settings, preview and results. */
export function ManageFrame({
  testId,
  title,
  titleAside,
  draft = null,
  actions,
  children,
}: {
  testId: string;
  /** Title of this page; the heading is the test's name. */
  title: string;
  /** Content beside the name on wide screens, below it on narrow ones. */
  titleAside?: ReactNode;
  /** The working copy edited on this page: publishing sends it first. */
  draft?: DraftEditor | null;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { data: test, problem } = usePageQuery(settingsQuery(testId));
  const tabs = useTabs(testId);
  const isWide = useMedia('(min-width: 1024px)');
  const isAbsent = isNotFound(problem);
  usePageTitle(test ? `${title}: ${test.name}` : isAbsent ? 'Тест не найден' : title);
  if (isAbsent) {
    return (
      <ShellPage rail title="Тест не найден" back={BACK}>
        <EmptyState
          heading="Такого теста у вас нет"
          action={<ShellRouterLink to={BACK.to}>К созданным тестам</ShellRouterLink>}
        >
          Возможно, его удалили, ссылка устарела или тест принадлежит другому преподавателю.
        </EmptyState>
      </ShellPage>
    );
  }
  const about = test && <TestActions test={test} draft={draft} />;
  return (
    <ShellPage
      rail
      title={test?.name ?? title}
      titleAside={
        isWide && (
          <Group gap="sm" justify="flex-end">
            {titleAside}
            {about}
          </Group>
        )
      }
      actions={actions}
      back={BACK}
    >
      {!isWide && (
        <div className={classes.top}>
          {titleAside}
          {about}
        </div>
      )}
      <Tabs label="Тест" link={ShellRouterLink} tabs={tabs} folds />
      <ContentLanguage value={test && languageOf(test)}>{children}</ContentLanguage>
    </ShellPage>
  );
}
