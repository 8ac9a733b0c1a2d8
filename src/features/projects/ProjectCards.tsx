import { Box, Flex, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconEye, IconEyeOff, IconStar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ProjectListItem } from '#contract/projects.ts';
import { formatCount, formatNumber } from '#domain/format.ts';
import { formatRating, RATINGS, VIEWS } from '#domain/labels-projects.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import type { Layout } from './layout.ts';
import { cx } from '#app/ui/cx.ts';
import classes from './ProjectCards.module.css';
import { ProjectLogo } from './ProjectLogo.tsx';
import { GRID, ITEM, ROWS } from './layout.ts';

/** Marks a project that an administrator has removed from the showcase. */
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

/** The place of the picture in a card, or at the start of a row. */
const COVER = {
  grid: {
    className: 'squared line-below',
    px: { base: 'md', sm: 20 },
    py: { base: 14, sm: 20 },
    mih: { sm: '8.75rem' },
  },
  rows: { className: 'squared', px: 'sm', py: 10 },
} as const;

const ABOUT = {
  grid: { flex: 1, px: 'md', pt: 14 },
  rows: { py: 10 },
} as const;

function Card({ project, layout }: { project: ProjectListItem; layout: Layout }) {
  const { id, name, logo, rating, views } = project;
  const isRow = layout === 'rows';
  return (
    <Box component="li" {...ITEM[layout]}>
      <Flex align="center" {...COVER[layout]}>
        <ProjectLogo logo={logo} name={name} size={isRow ? 'sm' : 'md'} />
      </Flex>
      <Box miw={0} {...ABOUT[layout]}>
        <Title order={2} fz={isRow ? 16 : 17} lh={1.34} lts={0} className="break-anywhere">
          <Box
            className={cx('covering', classes.link)}
            c="var(--app-text)"
            fw={600}
            td="none"
            renderRoot={(props) => (
              <Link to="/projects/$projectId" params={{ projectId: id }} {...props} />
            )}
          >
            {name}
          </Box>
        </Title>
        {project.isHidden && (
          <Box mt="xs">
            <HiddenPill />
          </Box>
        )}
        <Text
          size="sm"
          c="dimmed"
          mt={isRow ? 2 : 6}
          mih={isRow ? 0 : { sm: '4.29em' }}
          lineClamp={isRow ? 1 : 3}
          className="break-anywhere"
        >
          {project.shortDescription}
        </Text>
      </Box>
      <Flex
        display={isRow ? 'contents' : 'flex'}
        className="line-above"
        align="center"
        gap={14}
        mih="3rem"
        mx="md"
        mt="sm"
        py="xs"
        fz="sm"
        lh={1.33}
      >
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
      </Flex>
    </Box>
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
    <Box component="ul" {...(layout === 'rows' ? ROWS : GRID)}>
      {items.map((project) => (
        <Card key={project.id} project={project} layout={layout} />
      ))}
    </Box>
  );
}
