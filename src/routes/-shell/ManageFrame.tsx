import { Box, Group } from '@mantine/core';
import type { AccessLevel } from '#contract/sharing.ts';
import { reaches } from '#domain/access-level.ts';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import { useRouteContext } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { readEditMode } from '#app/drafts/edit-mode.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { languageOf } from '#domain/languages.ts';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { TestActions } from '#app/features/created-tests/TestActions.tsx';
import { isNotFound } from '#app/lib/failure-messages.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Tabs } from '#app/ui/layout/Tabs.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { ShellPage, usePath } from './ShellPage.tsx';
import { ShellRouterLink } from './ShellRouterLink.tsx';

const BACK = { to: '/tests/my/created', label: 'К созданным тестам' };

/** Tabs of one test with the level that each needs; «Содержание теста» opens the last edit mode and is active for all three. */
function useTabs(testId: string) {
  const { app } = useRouteContext({ from: '__root__' });
  const path = usePath();
  const root = `/tests/manage/${testId}`;
  const tab = (name: string, label: string, needed: AccessLevel, to = `${root}/${name}`) => ({
    to,
    label,
    needed,
    active: path === `${root}/${name}` || path.startsWith(`${root}/${name}/`),
  });
  const live = tab('live', 'Ход теста', 'results');
  // The list that opens from there.
  live.active ||= path === `${root}/readiness`;
  return [
    tab('edit', 'Содержание теста', 'edit', `${root}/edit/${readEditMode(app.local, testId)}`),
    tab('settings', 'Настройки', 'edit'),
    tab('preview', 'Предпросмотр', 'edit'),
    live,
    tab('grading', 'Проверка', 'grade'),
    tab('statistics', 'Статистика', 'results'),
  ];
}

const TOP = {
  gridTemplateColumns: 'minmax(0, 1fr)',
  containerType: 'inline-size',
  gap: '0.25rem',
} as const;

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
  const level = test?.level ?? 'owner';
  const tabs = useTabs(testId);
  // An open editor stays when the level is lowered, so that its input can still be copied.
  const [first, setFirst] = useState<{ testId: string; level: AccessLevel } | null>(null);
  if (test && first?.testId !== testId) setFirst({ testId, level });
  const opening = first?.testId === testId ? first.level : level;
  const isClosed = tabs.some(
    ({ active, needed }) => active && !reaches(level, needed) && !reaches(opening, needed),
  );
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
          Возможно, его удалили, ссылка устарела, или тест ведёт другой преподаватель и доступа у
          вас нет.
        </EmptyState>
      </ShellPage>
    );
  }
  const about =
    test &&
    (reaches(level, 'edit') ? (
      <TestActions test={test} draft={draft} />
    ) : (
      <Group>
        <TestStatusPill status={test.lifecycle} />
      </Group>
    ));
  return (
    <ShellPage
      rail
      title={test?.name ?? title}
      titleAside={
        isWide && (
          <Group gap="sm" justify="flex-end">
            {!isClosed && titleAside}
            {about}
          </Group>
        )
      }
      actions={isClosed ? undefined : actions}
      back={BACK}
    >
      {!isWide && (
        <Box display="grid" mih="2.75rem" mb="xs" style={TOP}>
          {!isClosed && titleAside}
          {about}
        </Box>
      )}
      <Tabs
        label="Тест"
        link={ShellRouterLink}
        tabs={tabs.filter(({ needed }) => reaches(level, needed))}
        folds
      />
      {isClosed ? (
        <EmptyState
          heading="Этот раздел вам не открыт"
          action={
            <ShellRouterLink to={`/tests/manage/${testId}/statistics`}>
              К статистике
            </ShellRouterLink>
          }
        >
          Тест ведёт {test?.owner}. Чтобы {level === 'results' && 'проверять ответы или '}менять
          тест, попросите владельца открыть вам такой доступ.
        </EmptyState>
      ) : (
        <ContentLanguage value={test && languageOf(test)}>{children}</ContentLanguage>
      )}
    </ShellPage>
  );
}
