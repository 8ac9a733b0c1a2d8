import { Button, Flex, Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import {
  IconCalendar,
  IconExternalLink,
  IconEye,
  IconPencil,
  IconStar,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProjectDetails } from '#contract/projects.ts';
import { formatCount, formatNumber } from '#domain/format.ts';
import { formatDay } from '#domain/format-time.ts';
import { formatRating, RATINGS } from '#domain/labels-projects.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { isNotFound } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { DeleteProjectModal } from './DeleteProjectModal.tsx';
import { ProjectDialog } from './dialog/ProjectDialog.tsx';
import { Documentation } from './Documentation.tsx';
import { HiddenPill } from './ProjectCards.tsx';
import { ProjectLogo } from './ProjectLogo.tsx';
import { projectQuery } from './queries.ts';
import { RatingField } from './RatingField.tsx';
import type { RenderPage } from './render-page.ts';

const iconOf = (icon: typeof IconPencil) => <Icon of={icon} />;

/** Two blank lines separate paragraphs; a single break stays a break. */
const paragraphsOf = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);

function Facts({ project }: { project: ProjectDetails }) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const { rating, ratingCount, landingURL, documentation } = project;
  const rated =
    rating === null
      ? 'пока нет'
      : `${formatRating(rating)} из 5, ${formatCount(ratingCount, RATINGS)}`;
  return (
    <Flex
      component="aside"
      direction="column"
      gap={20}
      w={{ md: '20rem' }}
      flex="none"
      px={{ md: 20 }}
      pt={{ md: 'xs' }}
      pb={{ md: 20 }}
      bd={{ md: '1px solid var(--app-line)' }}
      bdrs="lg"
      bg={{ md: 'var(--app-surface)' }}
      aria-label="О проекте"
    >
      <DefinitionRows
        rows={[
          { label: 'Владелец', value: project.ownerName, icon: IconUser },
          {
            label: 'Добавлен',
            value: formatDay(new Date(project.createdAt), serverNow(), timeZone),
            icon: IconCalendar,
          },
          { label: 'Просмотры', value: formatNumber(project.views), icon: IconEye },
          { label: 'Оценка', value: rated, icon: IconStar },
        ]}
      />
      {landingURL !== '' && (
        <Flex
          component="a"
          href={landingURL}
          target="_blank"
          rel="noopener noreferrer"
          className="tap self-start"
          gap="xs"
          title={landingURL}
        >
          Открыть сайт проекта
          <Icon of={IconExternalLink} />
          <VisuallyHidden component="span">(в новой вкладке)</VisuallyHidden>
        </Flex>
      )}
      {documentation && <Documentation key={documentation.key} file={documentation} />}
      {!project.isMine && <RatingField projectId={project.id} myRating={project.myRating} />}
    </Flex>
  );
}

function Project({ project }: { project: ProjectDetails }) {
  return (
    <Flex direction={{ base: 'column', md: 'row' }} align={{ md: 'flex-start' }} gap="lg">
      <Paper component="article" flex={1} miw={0} className="clip">
        <Flex className="squared line-below" align="center" mih="9rem" p={20}>
          <ProjectLogo key={project.logo?.key} logo={project.logo} name={project.name} size="lg" />
        </Flex>
        <Stack p={{ base: 20, md: 'lg' }} className="break-anywhere" align="flex-start">
          {project.isHidden && <HiddenPill />}
          <Text size="lg" textWrap="pretty" fw={500} maw="46rem">
            {project.shortDescription}
          </Text>
          {paragraphsOf(project.description).map((paragraph, index) => (
            <Text
              // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no other name and never move
              key={index}
              lh={1.5}
              style={{ whiteSpace: 'pre-line' }}
              textWrap="pretty"
              maw="46rem"
            >
              {paragraph}
            </Text>
          ))}
        </Stack>
      </Paper>
      <Facts project={project} />
    </Flex>
  );
}

export interface ProjectPageProps {
  projectId: string;
  userName: string;
  /** After the project was deleted. */
  onDeleted: () => void;
  renderPage: RenderPage;
}

/** The public page of a project; its owner and administrators can edit it. */
export function ProjectPage({ projectId, userName, onDeleted, renderPage }: ProjectPageProps) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  const [open, setOpen] = useDialogState<'edit' | 'delete'>('project', ['edit']);
  const close = () => setOpen(null);
  const isGone = error !== null && isNotFound(error);
  if (!project || isGone) {
    return renderPage({
      title: isGone ? 'Проект не найден' : 'Проект',
      children:
        error === null ? (
          <RowsSkeleton />
        ) : isGone ? (
          <EmptyState
            heading="Такого проекта нет"
            action={<Link to="/projects">Ко всем проектам</Link>}
          >
            Возможно, его удалили или скрыли, либо в ссылке ошибка.
          </EmptyState>
        ) : (
          <QueryProblem error={error} onRetry={() => void refetch()} />
        ),
    });
  }
  const buttons = (place: 'title' | 'below') =>
    project.mayEdit && (
      <Group
        className={place === 'below' ? 'to-desktop' : undefined}
        grow={place === 'below'}
        wrap="nowrap"
        gap="xs"
        mt={place === 'below' ? 'lg' : 0}
      >
        <Button
          size="sm"
          variant="default"
          leftSection={iconOf(IconPencil)}
          onClick={() => setOpen('edit')}
        >
          Изменить
        </Button>
        <Button
          size="sm"
          variant="default"
          leftSection={iconOf(IconTrash)}
          onClick={() => setOpen('delete')}
        >
          Удалить
        </Button>
      </Group>
    );
  return renderPage({
    title: project.name,
    titleAside: buttons('title'),
    children: (
      <>
        <SavedAt savedAt={project.savedAt} />
        <Project project={project} />
        {buttons('below')}
        <ProjectDialog
          opened={open === 'edit'}
          projectId={projectId}
          userName={userName}
          onClose={close}
          onSaved={close}
        />
        <DeleteProjectModal
          project={open === 'delete' ? project : null}
          onClose={close}
          onDeleted={onDeleted}
        />
      </>
    ),
  });
}
