import { Stack } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { cx } from '#app/ui/cx.ts';
import classes from './TakingLayout.module.css';

export interface TakingLayoutProps {
  header: ReactNode;
  /** The question list, shown at the left from 1024 px. */
  aside: ReactNode;
  /** A note above the question: no network, last minute, time over. */
  note?: ReactNode;
  /** Number of the question, from 1. */
  number: number;
  /** «2 балла», «до 4 баллов». */
  points: string;
  /** «Отметить»; absent when the answers are locked. */
  mark?: ReactNode;
  /** The heading, so that the page may move the focus to it when the question changes. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** The text that the question shares with others: above it, from 1280 px beside it. */
  passage?: ReactNode;
  /** Text, answer and its state line. */
  children: ReactNode;
  bar: ReactNode;
}

/** The taking page: one column on phones; from 1024 px the list of questions and the question with a margin. */
export function TakingLayout({
  header,
  aside,
  note,
  number,
  points,
  mark,
  headingRef,
  passage,
  children,
  bar,
}: TakingLayoutProps) {
  return (
    <div className={classes.page}>
      {header}
      <div className={classes.columns} data-split={passage ? true : undefined}>
        <Stack
          component="aside"
          className={cx('from-desktop', classes.aside)}
          gap={0}
          aria-label="Все вопросы"
        >
          {aside}
        </Stack>
        <Stack component="main" className={classes.sheet} gap={0}>
          <div className={classes.question}>
            {note && <div className={classes.note}>{note}</div>}
            <div className={classes.head}>
              <h1 ref={headingRef} tabIndex={-1} className={classes.number}>
                <span>Вопрос </span>
                {number}
              </h1>
              <p className={classes.points}>{points}</p>
              {mark}
            </div>
            <div className={classes.content}>
              {passage && <div>{passage}</div>}
              <div className={classes.asked}>{children}</div>
            </div>
          </div>
          {bar}
        </Stack>
      </div>
    </div>
  );
}

/** The text of a question above its answer. */
export function QuestionText({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <div id={id} className={classes.text}>
      {children}
    </div>
  );
}
