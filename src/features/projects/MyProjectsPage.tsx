import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { useFocusAfter } from '#app/ui/use-focus-after.ts';
import { ProjectDialog } from './dialog/ProjectDialog.tsx';
import type { ProjectListProps } from './project-search.ts';
import { ProjectControls } from './ProjectControls.tsx';
import { ProjectList, useProjects } from './ProjectList.tsx';
import { myProjectsQuery } from './queries.ts';
import type { RenderPage } from './render-page.ts';

/** «Мои проекты» with «Добавить проект». */
export function MyProjectsPage({
  search,
  onSearch,
  userName,
  renderPage,
}: ProjectListProps & { userName: string; renderPage: RenderPage }) {
  const [dialog, setDialog] = useDialogState<'add'>('project');
  const [added, setAdded] = useState<string | null>(null);
  const [statusRef, focusStatus] = useFocusAfter<HTMLDivElement>();
  const list = useProjects({ search, onSearch }, usePageQuery(myProjectsQuery(search)));
  const isEmpty = list.total === 0 && !list.isNarrowed;
  const add = (
    <Button
      size="sm"
      flex={{ base: '1 1 auto', sm: 'none' }}
      leftSection={<Icon of={IconPlus} />}
      onClick={() => {
        setAdded(null);
        setDialog('add');
      }}
    >
      Добавить проект
    </Button>
  );
  const controls = (place: 'title' | 'bar') => (
    <ProjectControls list={list} sort={search.sort} place={place}>
      {add}
    </ProjectControls>
  );
  return renderPage({
    title: 'Мои проекты',
    titleAside: controls('title'),
    children: (
      <>
        {controls('bar')}
        {added !== null && (
          <div ref={statusRef} tabIndex={-1}>
            <InlineNote tone="ok" role="status">
              Проект «{added}» добавлен. Его видно на витрине.
            </InlineNote>
          </div>
        )}
        <ProjectList
          list={list}
          empty={
            <EmptyState heading="Пока нет проектов" action={add}>
              Добавьте свой проект: название, описание, логотип и документацию. Его увидит вся
              школа.
            </EmptyState>
          }
        />
        <ProjectDialog
          opened={dialog === 'add'}
          userName={userName}
          onClose={() => setDialog(null)}
          onSaved={(name) => {
            setAdded(name);
            // The first project unmounts the button that opened the modal.
            if (isEmpty) focusStatus();
          }}
        />
      </>
    ),
  });
}
