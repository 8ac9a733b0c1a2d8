import { Box, Flex, Text, VisuallyHidden } from '@mantine/core';
import { IconEye, IconEyeOff, IconStar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ProjectListItem } from '#contract/projects.ts';
import { formatCount, formatNumber } from '#domain/format.ts';
import { formatRating, RATINGS, VIEWS } from '#domain/labels-projects.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import type { Layout } from './layout.ts';
import classes from './ProjectCards.module.css';
import { ProjectLogo } from './ProjectLogo.tsx';

/** Taken off the showcase by an administrator. */
export function HiddenPill() {
  return (
    <StatePill icon={IconEyeOff} tone="warn">
      Скрыт администратором
    </StatePill>
  );
}

/** «Оценка 4,8 из 5, 12 оценок» */
export const ratingLabel = ({
  rating,
  ratingCount,
}: Pick<ProjectListItem, 'rating' | 'ratingCount'>) =>
  rating === null
    ? 'Оценок пока нет'
    : `Оценка ${formatRating(rating)} из 5, ${formatCount(ratingCount, RATINGS)}`;

const FIGURE = { component: 'span', align: 'center', gap: 5, className: 'tabular nowrap' } as const;

function Card({ project }: { project: ProjectListItem }) {
  const { id, name, logo, rating, views } = project;
  return (
    <li className={classes.card}>
      <div className={cx('squared', classes.cover)}>
        <ProjectLogo logo={logo} name={name} />
      </div>
      <div className={classes.about}>
        <h2 className={classes.name}>
          <Link to="/projects/$projectId" params={{ projectId: id }} className={classes.link}>
            {name}
          </Link>
        </h2>
        {project.isHidden && <HiddenPill />}
        <Text className={classes.words} size="sm" c="dimmed" lineClamp={3}>
          {project.shortDescription}
        </Text>
      </div>
      <div className={classes.foot}>
        <Box component="span" flex={1} miw={0} className="break-anywhere">
          {project.ownerName}
        </Box>
        <Flex {...FIGURE}>
          <Icon of={IconStar} size={18} />
          <span aria-hidden>{formatRating(rating)}</span>
          <VisuallyHidden>{ratingLabel(project)}</VisuallyHidden>
        </Flex>
        <Flex {...FIGURE} c="dimmed">
          <Icon of={IconEye} size={18} />
          <span aria-hidden>{formatNumber(views)}</span>
          <VisuallyHidden>{formatCount(views, VIEWS)}</VisuallyHidden>
        </Flex>
      </div>
    </li>
  );
}

/** Projects as cards in a grid, or each in one line; the whole card is the link. */
export function ProjectCards({
  items,
  layout,
}: {
  items: readonly ProjectListItem[];
  layout: Layout;
}) {
  return (
    <ul className={classes.list} data-layout={layout}>
      {items.map((project) => (
        <Card key={project.id} project={project} />
      ))}
    </ul>
  );
}
