import { Box, Flex, Stack, Text } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { cx } from '#app/ui/cx.ts';
import classes from './TakingLayout.module.css';

export interface TakingLayoutProps {
  header: ReactNode;
  /** The question list, shown on the left from 1024 px. */
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
  /** The text that the question shares with others: above the question, from 1280 px beside it. */
  passage?: ReactNode;
  /** Text, answer and its state line. */
  children: ReactNode;
  bar: ReactNode;
}

/** The taking page: one column on phones; from 1024 px the list of questions beside the question. */
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
    <Box
      mih="100dvh"
      bg={{ base: 'var(--app-surface)', md: 'var(--app-body)' }}
      className={classes.page}
    >
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
        <Stack
          component="main"
          // A click anywhere in the question moves the focus here, where its shortcuts work.
          tabIndex={-1}
          gap={0}
          mih={{ md: 'calc(100dvh - var(--app-header) - 3rem)' }}
          className="card-from-desktop"
        >
          <div className={classes.question}>
            {note && <div className={classes.note}>{note}</div>}
            <Flex
              direction={{ base: 'row', md: 'column' }}
              align={{ base: 'center', md: 'flex-end' }}
              gap={{ md: 4 }}
              mih={44}
              p={{ md: '1.625rem 1rem 0 0' }}
              fz="sm"
              className={classes.head}
            >
              <Box
                component="h1"
                ref={headingRef}
                tabIndex={-1}
                fz={{ base: 'sm', md: '2rem' }}
                lh={{ base: 'sm', md: 1 }}
                lts={0}
                className={cx('tabular', classes.number)}
              >
                <span>Вопрос </span>
                {number}
              </Box>
              <Text inherit ms={4} c="dimmed" className={classes.points}>
                {points}
              </Text>
              {mark}
            </Flex>
            <div className={classes.content}>
              {passage && <div>{passage}</div>}
              <div className={classes.prompt}>{children}</div>
            </div>
          </div>
          {bar}
        </Stack>
      </div>
    </Box>
  );
}

/** The text of a question above its answer. */
export function QuestionText({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <Box id={id} maw="68ch" mb="md" fz="lg" lh="lg">
      {children}
    </Box>
  );
}
