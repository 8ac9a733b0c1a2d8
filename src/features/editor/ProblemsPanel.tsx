import { Box, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { formatCount } from '#domain/format.ts';
import type { PublishingProblem } from '#domain/publishing.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import classes from './editor.module.css';

const PROBLEM = {
  className: cx('tap', classes.problem),
  w: '100%',
  py: 4,
  px: 'sm',
  bdrs: 'md',
} as const;

const NOTES = ['замечание', 'замечания', 'замечаний'] as const;

/** Problems that prevent publishing: collapsed, each linked to its question. */
export function ProblemsPanel({
  problems,
  onFollow,
}: {
  problems: readonly PublishingProblem[];
  onFollow: (questionId: string) => void;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  if (problems.length === 0) return null;
  return (
    <Box
      component="section"
      fz={15}
      c="var(--app-warn-text)"
      mb="xs"
      bdrs="md"
      bg="var(--app-warn-soft)"
      aria-label="Замечания"
    >
      <UnstyledButton
        {...PROBLEM}
        fz="inherit"
        fw={500}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={IconAlertTriangle} size={18} />
        <Box component="span" flex={1}>
          {formatCount(problems.length, NOTES)}
        </Box>
        <Chevron size={18} stroke={1.75} aria-hidden />
      </UnstyledButton>
      {isOpen && (
        <Box component="ul" id={id} pb={4} mah="14rem" className="scroll-y">
          {problems.map(({ questionId, message }) => (
            <li key={`${questionId} ${message}`}>
              <UnstyledButton
                {...PROBLEM}
                ps={38}
                fz="sm"
                onClick={() => questionId !== null && onFollow(questionId)}
              >
                {message}
              </UnstyledButton>
            </li>
          ))}
        </Box>
      )}
    </Box>
  );
}
