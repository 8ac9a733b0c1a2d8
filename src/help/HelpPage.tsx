import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { logProblem } from '#app/offline/log.ts';
import { ErrorPanel } from '#app/ui/ErrorPanel.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import classes from './HelpPage.module.css';
import { sectionsOf, topicOf, TOPICS, type Section, type Topic } from './topics.ts';

export interface HelpPageProps {
  /** `student`, `teacher`, `operator`; null or another word shows the contents. */
  topic: string | null;
}

function HelpText({ topic }: { topic: Topic }) {
  const [sections, setSections] = useState<readonly Section[] | null>(null);
  const [tries, setTries] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let current = true;
    topic.load().then(
      (page) => current && setSections(sectionsOf(page.default)),
      (cause: unknown) => {
        logProblem('Справка не открылась', { cause });
        if (current) setFailed(true);
      },
    );
    return () => {
      current = false;
    };
  }, [topic, tries]);
  if (hasFailed)
    return (
      <ErrorPanel
        message="Страница справки не загрузилась. Проверьте сеть и повторите"
        onRetry={() => {
          setFailed(false);
          setTries(tries + 1);
        }}
      />
    );
  if (sections === null) return <RowsSkeleton />;
  return sections.map(({ heading, text }) => (
    <section key={heading} className={classes.section}>
      {heading !== null && <h2>{heading}</h2>}
      <RichText text={text} className={classes.text} />
    </section>
  ));
}

/** Help in Russian: the pages of docs/help. */
export function HelpPage({ topic }: HelpPageProps) {
  const shown = topicOf(topic);
  if (shown)
    return (
      <article className={classes.page}>
        <p className={classes.up}>
          <Link to="/help">Вся справка</Link>
        </p>
        <HelpText key={shown.key} topic={shown} />
      </article>
    );
  return (
    <ul className={classes.contents}>
      {TOPICS.map(({ key, title, about }) => (
        <li key={key} className={classes.row}>
          <Link to="/help/$topic" params={{ topic: key }} className={classes.title}>
            {title}
          </Link>
          <p>{about}</p>
        </li>
      ))}
    </ul>
  );
}
