import { Box, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { formatCount } from '#domain/format.ts';
import type { PublishingProblem } from '#domain/publishing.ts';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './editor.module.css';

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
        className={classes.problemsHead}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={IconAlertTriangle} size={18} />
        <span>{formatCount(problems.length, NOTES)}</span>
        <Chevron size={18} stroke={1.75} aria-hidden />
      </UnstyledButton>
      {isOpen && (
        <ul id={id} className={classes.problemsList}>
          {problems.map(({ questionId, message }) => (
            <li key={`${questionId} ${message}`}>
              <UnstyledButton onClick={() => questionId !== null && onFollow(questionId)}>
                {message}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </Box>
  );
}
