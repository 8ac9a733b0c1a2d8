import { Box, Flex, Text } from '@mantine/core';
import type { BankEntry } from '#contract/bank.ts';
import { formKindOf } from '#domain/change-kind.ts';
import { formatFacility } from '#domain/labels-bank.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import { KindIcon } from '#app/questions/kinds.tsx';
import { QuestionLabel } from '#app/questions/QuestionLabel.tsx';
import { ShareBar } from '#app/ui/data/ShareBar.tsx';
import classes from './Bank.module.css';

/** Characters of a question in two lines. */
const TWO_LINES = 160;

/** Summary of a bank question: kind, text, subject and tags. */
export function EntrySummary({ entry }: { entry: BankEntry }) {
  const { question, theme } = entry;
  const { title = '', topic = '', difficulty, tags = [] } = question;
  const filed = [
    ...(theme === '' ? [] : [subjectLabel(theme)]),
    ...(topic === '' ? [] : [topic]),
    ...(difficulty === undefined ? [] : [difficultyLabel(difficulty)]),
  ];
  return (
    <Flex className={classes.summary} gap={10} miw={0}>
      <Box component="span" flex="none" mt={3} c="dimmed" lh={1.4}>
        <KindIcon kind={formKindOf(question)} />
      </Box>
      <Box flex={1} miw={0}>
        {title !== '' && (
          <Text inherit fw={500} className="break-anywhere">
            <QuestionLabel question={{ title, text: '' }} />
          </Text>
        )}
        <Text component="div" inherit lineClamp={2} maw="68ch" className="break-anywhere">
          <QuestionLabel
            question={{ text: question.text, kind: question.kind }}
            characters={TWO_LINES}
          />
        </Text>
        {(filed.length > 0 || tags.length > 0) && (
          <Flex
            component="p"
            gap="0.25rem 0.5rem"
            wrap="wrap"
            fz="sm"
            lh={1.43}
            c="dimmed"
            mt={4}
            className="break-anywhere"
          >
            {filed.join(' · ')}
            {tags.map((tag) => (
              <Box key={tag} component="span" px={6} bd="1px solid var(--app-line)" bdrs="sm">
                {tag}
              </Box>
            ))}
          </Flex>
        )}
      </Box>
    </Flex>
  );
}

/** Facility: bar, figure and label. */
export function Facility({ facility }: { facility: number | null }) {
  return (
    <Flex component="span" align="center" gap="xs">
      {facility !== null && <ShareBar share={facility} width="4rem" />}
      {formatFacility(facility)}
    </Flex>
  );
}
