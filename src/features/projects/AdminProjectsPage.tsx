import { Box, Button, Flex, Text } from '@mantine/core';
import { IconCheck, IconEye, IconEyeOff, IconPencil, IconTrash, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type Ref } from 'react';
import { setProjectHidden, type ProjectListItem } from '#contract/projects.ts';
import { formatNumber } from '#domain/format.ts';
import { formatDay } from '#domain/format-time.ts';
import { formatRating, PROJECT_ORDER_CHOICES, PROJECTS } from '#domain/labels-projects.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ListFilters } from '#app/lib/list/ListFilters.tsx';
import { ListPage } from '#app/lib/list/ListPage.tsx';
import { useList } from '#app/lib/list/use-list.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { DataTable, type DataColumn } from '#app/ui/data/DataTable.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import type { Filter } from '#app/ui/data/FilterBar.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { useFocusAfter } from '#app/ui/use-focus-after.ts';
import { useMedia } from '#app/ui/use-media.ts';
import { DeleteProjectModal } from './DeleteProjectModal.tsx';
import { ProjectDialog } from './dialog/ProjectDialog.tsx';
import { ratingLabel } from './ProjectCards.tsx';
import {
  adminProjectAddress,
  changed,
  type AdminProjectSearch,
  type SearchProps,
} from './project-search.ts';
import { ADMIN_PAGE_SIZE, adminProjectsQuery, renewProject } from './queries.ts';

export interface AdminProjectsProps extends SearchProps<AdminProjectSearch> {
  userName: string;
}

const STATES = [
  { value: '', label: 'Любое состояние' },
  { value: 'shown', label: 'На витрине' },
  { value: 'hidden', label: 'Скрытые' },
] as const;

function filtersOf({ search, onSearch }: SearchProps<AdminProjectSearch>): Filter[] {
  return [
    {
      label: 'Состояние',
      choices: STATES,
      value: search.state ?? '',
      onChange: (state, replace) => onSearch(changed(search, { state }), { replace }),
    },
    {
      label: 'Порядок',
      choices: PROJECT_ORDER_CHOICES,
      value: search.sort ?? 'new',
      onChange: (sort, replace) => onSearch(changed(search, { sort }), { replace }),
      isOrder: true,
    },
  ];
}

interface Actions {
  onHide: (project: ProjectListItem, isHidden: boolean) => void;
  onEdit: (project: ProjectListItem) => void;
  onDelete: (project: ProjectListItem) => void;
}

function RowActions({
  project,
  isBusy,
  onHide,
  onEdit,
  onDelete,
}: Actions & { project: ProjectListItem; isBusy: boolean }) {
  const { name, isHidden } = project;
  const icon = isHidden ? IconEye : IconEyeOff;
  return (
    <Flex
      component="span"
      display="inline-flex"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      align="center"
      justify="flex-end"
      gap={4}
    >
      <Button
        size="sm"
        variant="default"
        miw="min(8.25rem, 37vw)"
        leftSection={<Icon of={icon} />}
        aria-label={isHidden ? `Показать «${name}»` : `Скрыть «${name}»`}
        loading={isBusy}
        onClick={() => onHide(project, !isHidden)}
      >
        {isHidden ? 'Показать' : 'Скрыть'}
      </Button>
      <RowMenu
        label={`Действия с проектом «${name}»`}
        actions={[
          { icon: IconPencil, label: 'Изменить…', onClick: () => onEdit(project) },
          { icon: IconTrash, label: 'Удалить…', onClick: () => onDelete(project) },
        ]}
      />
    </Flex>
  );
}

function useColumns(
  actions: Actions,
  busy: string | null,
): readonly [DataColumn<ProjectListItem>, ...DataColumn<ProjectListItem>[]] {
  const { serverNow, timeZone } = useDevice();
  // Between phone rows and a wide table: the owner is under the name, views and date are hidden.
  const isTablet = useMedia('(min-width: 640px) and (max-width: 1023.98px)');
  return [
    {
      key: 'name',
      head: 'Проект',
      isWide: true,
      renderCell: ({ id, name, shortDescription, ownerName }) => (
        <>
          <Box
            {...NAME}
            renderRoot={(props) => (
              <Link to="/projects/$projectId" params={{ projectId: id }} {...props} />
            )}
          >
            {name}
          </Box>
          <Text
            size="sm"
            lineClamp={1}
            c="dimmed"
            miw="9rem"
            maw="30rem"
            className="break-anywhere"
          >
            {isTablet ? ownerName : shortDescription}
          </Text>
        </>
      ),
    },
    ...(isTablet
      ? []
      : [
          {
            key: 'owner',
            head: 'Владелец',
            renderCell: ({ ownerName }: ProjectListItem) => (
              // A name without a space breaks here, so that the other columns have enough room.
              <Text inherit maw="12rem">
                {ownerName}
              </Text>
            ),
          },
        ]),
    {
      key: 'state',
      head: 'Состояние',
      renderCell: ({ isHidden }) => (
        <span className="nowrap">
          <StatePill icon={isHidden ? IconEyeOff : IconEye} tone={isHidden ? 'warn' : 'ok'}>
            {isHidden ? 'Скрыт' : 'На витрине'}
          </StatePill>
        </span>
      ),
    },
    {
      key: 'rating',
      head: 'Оценка',
      isFigure: true,
      renderCell: (project) => (
        <span title={ratingLabel(project)}>{formatRating(project.rating)}</span>
      ),
    },
    ...(isTablet
      ? []
      : [
          {
            key: 'views',
            head: 'Просмотры',
            isFigure: true,
            renderCell: ({ views }: ProjectListItem) => formatNumber(views),
          },
          {
            key: 'created',
            head: 'Добавлен',
            isFigure: true,
            renderCell: ({ createdAt }: ProjectListItem) =>
              formatDay(new Date(createdAt), serverNow(), timeZone),
          },
        ]),
    {
      key: 'actions',
      head: 'Действия',
      renderCell: (project) => (
        <RowActions project={project} isBusy={busy === project.id} {...actions} />
      ),
    },
  ];
}

function Notes({
  statusRef,
  done,
  error,
}: {
  statusRef: Ref<HTMLDivElement>;
  done: string | null;
  error: unknown;
}) {
  return (
    <>
      <Box ref={statusRef} tabIndex={-1} role="status" mb={done === null ? 0 : 'sm'}>
        {done !== null && (
          <InlineNote tone="ok" icon={IconCheck}>
            {done}
          </InlineNote>
        )}
      </Box>
      <Box role="alert" mb={error ? 'sm' : 0}>
        {error !== null && (
          <InlineNote tone="bad" icon={IconX}>
            {describeFailure(error)}
          </InlineNote>
        )}
      </Box>
    </>
  );
}

/** A target for a finger on phones. */
const NAME = {
  display: { base: 'flex', sm: 'inline' },
  mih: { base: '2.75rem', sm: 0 },
  c: 'var(--app-text)',
  style: { alignItems: 'center' },
} as const;

/** «Витрина проектов» for administrators: hide, show, edit, delete. */
export function AdminProjectsPage({ search, onSearch, userName }: AdminProjectsProps) {
  const list = useList({
    query: usePageQuery(adminProjectsQuery(search)),
    search,
    onSearch,
    address: adminProjectAddress,
    pageSize: ADMIN_PAGE_SIZE,
  });
  const [editedId, setEditedId] = useDialogState('project');
  const [deleted, setDeleted] = useState<ProjectListItem | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [statusRef, focusStatus] = useFocusAfter<HTMLDivElement>();
  const client = useQueryClient();
  const hide = useMutation({
    mutationFn: ({ id, isHidden }: { id: string; isHidden: boolean }) =>
      call(setProjectHidden, { params: { id }, body: { isHidden } }),
    onSuccess: (_reply, { id }) => renewProject(client, id),
  });
  const columns = useColumns(
    {
      onHide: (project, isHidden) => {
        setDone(null);
        hide.mutate(
          { id: project.id, isHidden },
          {
            onSuccess: () =>
              setDone(
                isHidden
                  ? `Проект «${project.name}» скрыт с витрины. Владелец его видит.`
                  : `Проект «${project.name}» снова на витрине.`,
              ),
          },
        );
      },
      onEdit: ({ id }) => setEditedId(id),
      onDelete: setDeleted,
    },
    hide.isPending ? hide.variables.id : null,
  );
  return (
    <>
      <ListPage
        list={list}
        counted={PROJECTS}
        controls={
          <ListFilters
            list={list}
            counted={PROJECTS}
            search={{
              label: 'Поиск по названию, описанию или автору',
              placeholder: 'Найти по названию или автору',
              shortPlaceholder: 'Найти проект',
            }}
            filters={filtersOf({ search, onSearch })}
          />
        }
        notes={<Notes statusRef={statusRef} done={done} error={hide.error} />}
        none={
          <EmptyState heading="Пока нет проектов">
            Они появятся здесь, когда кто-нибудь добавит первый.
          </EmptyState>
        }
        nothing={{
          message: 'Измените запрос или сбросьте фильтры: тогда будут видны все проекты.',
        }}
      >
        {({ items }) => (
          <div className="card-from-tablet">
            <DataTable caption="Проекты" rows={items} rowKey={({ id }) => id} columns={columns} />
          </div>
        )}
      </ListPage>
      <ProjectDialog
        opened={editedId !== null}
        projectId={editedId}
        userName={userName}
        onClose={() => setEditedId(null)}
        onSaved={(name) => setDone(`Проект «${name}» сохранён.`)}
      />
      <DeleteProjectModal
        project={deleted}
        onClose={() => setDeleted(null)}
        onDeleted={() => {
          setDone(deleted && `Проект «${deleted.name}» удалён.`);
          setDeleted(null);
          // The row with the menu that opened the modal is unmounted.
          focusStatus();
        }}
      />
    </>
  );
}
