import { Button } from '@mantine/core';
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
import { useState } from 'react';
import type { ProjectDetails } from '#contract/projects.ts';
import { formatCount, formatNumber } from '#domain/format.ts';
import { formatDay } from '#domain/format-time.ts';
import { formatRating, RATINGS } from '#domain/labels-projects.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { isNotFound } from '#app/offline/failure-words.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { SavedAt } from '#app/offline/SavedAt.tsx';
import { cx } from '#app/ui/cx.ts';
import { DefinitionRows } from '#app/ui/DefinitionRows.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { DeleteProjectSheet } from './DeleteProjectSheet.tsx';
import { ProjectDialog } from './dialog/ProjectDialog.tsx';
import { Documentation } from './Documentation.tsx';
import { HiddenPill } from './ProjectCards.tsx';
import { ProjectLogo } from './ProjectLogo.tsx';
import classes from './ProjectPage.module.css';
import { projectQuery } from './queries.ts';
import { RatingField } from './RatingField.tsx';
import type { RenderPage } from './render-page.ts';

const iconOf = (Icon: typeof IconPencil) => <Icon size={20} stroke={1.75} aria-hidden />;

/** Two blank lines part paragraphs; a single break stays a break. */
const paragraphsOf = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);

function Facts({ project }: { project: ProjectDetails }) {
  const { serverNow, timeZone } = useDevice();
  const { rating, ratingCount, landingURL, documentation } = project;
  const rated =
    rating === null
      ? 'пока нет'
      : `${formatRating(rating)} из 5, ${formatCount(ratingCount, RATINGS)}`;
  return (
    <aside className={classes.facts} aria-label="О проекте">
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
        <a
          href={landingURL}
          target="_blank"
          rel="noopener noreferrer"
          className={classes.site}
          title={landingURL}
        >
          Открыть сайт проекта
          <IconExternalLink size={20} stroke={1.75} aria-hidden />
          <span className={classes.spoken}>(в новой вкладке)</span>
        </a>
      )}
      {documentation && <Documentation key={documentation.key} file={documentation} />}
      {!project.isMine && <RatingField projectId={project.id} myRating={project.myRating} />}
    </aside>
  );
}

function Project({ project }: { project: ProjectDetails }) {
  return (
    <div className={classes.page}>
      <article className={classes.article}>
        <div className={cx('squared', classes.cover)}>
          <ProjectLogo key={project.logo?.key} logo={project.logo} name={project.name} size="lg" />
        </div>
        <div className={classes.text}>
          {project.isHidden && <HiddenPill />}
          <p className={classes.lead}>{project.shortDescription}</p>
          {paragraphsOf(project.description).map((paragraph, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no other name and never move
            <p key={index} className={classes.paragraph}>
              {paragraph}
            </p>
          ))}
        </div>
      </article>
      <Facts project={project} />
    </div>
  );
}

export interface ProjectPageProps {
  projectId: string;
  userName: string;
  /** After the project was deleted. */
  onDeleted: () => void;
  renderPage: RenderPage;
}

/** One project as others see it; its owner and administrators may edit it. */
export function ProjectPage({ projectId, userName, onDeleted, renderPage }: ProjectPageProps) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
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
  const buttons = (className: string | undefined) =>
    project.mayEdit && (
      <div className={cx(classes.buttons, className)}>
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
      </div>
    );
  return renderPage({
    title: project.name,
    titleAside: buttons(undefined),
    children: (
      <>
        <SavedAt savedAt={project.savedAt} />
        <Project project={project} />
        {buttons('to-desktop')}
        <ProjectDialog
          opened={open === 'edit'}
          projectId={projectId}
          userName={userName}
          onClose={close}
          onSaved={close}
        />
        <DeleteProjectSheet
          project={open === 'delete' ? project : null}
          onClose={close}
          onDeleted={onDeleted}
        />
      </>
    ),
  });
}
