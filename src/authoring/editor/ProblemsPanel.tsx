import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { formatCount } from '#domain/format.ts';
import type { PublishingProblem } from '#domain/publishing.ts';
import classes from './editor.module.css';

const NOTES = ['замечание', 'замечания', 'замечаний'] as const;

/** What a publication waits for: folded, each line leading to its question. */
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
    <section className={classes.problems} aria-label="Замечания">
      <button
        type="button"
        className={classes.problemsHead}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
        <span>{formatCount(problems.length, NOTES)}</span>
        <Chevron size={18} stroke={1.75} aria-hidden />
      </button>
      {isOpen && (
        <ul id={id} className={classes.problemsList}>
          {problems.map(({ questionId, message }) => (
            <li key={`${questionId} ${message}`}>
              <button type="button" onClick={() => questionId !== null && onFollow(questionId)}>
                {message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
