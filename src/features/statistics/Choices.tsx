import { Box, Flex, Stack, Text } from '@mantine/core';
import { IconCheck, IconUserSearch, IconX } from '@tabler/icons-react';
import type { ItemStatistics } from '#contract/statistics.ts';
import { ANSWERS, formatCount, formatNumber, formatPercent } from '#domain/format.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';
import { itemReadingMeaning } from '#domain/labels-statistics.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { ShareBar } from '#app/ui/data/ShareBar.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { cx } from '#app/ui/cx.ts';
import { FacilityBar } from './Measures.tsx';
import classes from './Statistics.module.css';

type Choice = ItemStatistics['choices'][number];

function Rightness({ isRight }: Pick<Choice, 'isRight'>) {
  if (isRight === null) {
    return (
      <StatePill icon={IconUserSearch} tone="quiet">
        Проверяется
      </StatePill>
    );
  }
  return isRight ? (
    <StatePill icon={IconCheck} tone="ok">
      Верный
    </StatePill>
  ) : (
    <StatePill icon={IconX} tone="quiet">
      Неверный
    </StatePill>
  );
}

function ChoiceRow({ choice, isPlain }: { choice: Choice; isPlain: boolean }) {
  return (
    <li className={cx('line-between', classes.choice)}>
      <Box component="span" miw={0} className="break-anywhere">
        {isPlain ? choice.text : <RichText inline text={choice.text} />}
      </Box>
      <Rightness isRight={choice.isRight} />
      <Flex component="span" className="nowrap tabular" align="center" gap={10}>
        <ShareBar share={choice.share} />
        {formatPercent(choice.share)}, {formatCount(choice.count, ANSWERS)}
      </Flex>
      <Text span c="dimmed" fz="sm">
        {choice.meanRest !== null && `остальное решено на ${formatPercent(choice.meanRest)}`}
      </Text>
    </li>
  );
}

function unlisted({ kind, choices, otherAnswers }: ItemStatistics): string | null {
  if (otherAnswers === 0) return null;
  if (choices.length > 0) return `Другие ответы: ${formatNumber(otherAnswers)}.`;
  return kind === 'file'
    ? `Сдано файлов: ${formatNumber(otherAnswers)}. Их проверяет преподаватель.`
    : `Развёрнутых ответов: ${formatNumber(otherAnswers)}. Их проверяет преподаватель.`;
}

/** Answers to a question: each choice with its share and the mean score of those who chose it. */
export function Choices({ item, id }: { item: ItemStatistics; id: string }) {
  const rest = unlisted(item);
  return (
    <QuestionPictures>
      <Stack id={id} gap="xs" ta="start">
        <p>{itemReadingMeaning(item.reading)}</p>
        {item.gaps.length > 1 && (
          <Flex component="ul" wrap="wrap" gap="0.5rem 1.5rem" aria-label="Решаемость пропусков">
            {item.gaps.map(({ gapId, facility }) => (
              <Flex component="li" key={gapId} gap="sm" align="center" className="tabular">
                Пропуск {gapId}
                <FacilityBar facility={facility} />
              </Flex>
            ))}
          </Flex>
        )}
        {item.choices.length > 0 && (
          <ul aria-label={`Ответы на вопрос ${item.number}`}>
            {item.choices.map((choice) => (
              <ChoiceRow
                key={choice.text}
                choice={choice}
                isPlain={!questionRules(item).hasMarkdownAnswers}
              />
            ))}
          </ul>
        )}
        {rest !== null && <p>{rest}</p>}
        {item.alternatives > 1 && (
          <Text size="sm" c="dimmed">
            У этого вопроса разные варианты: {formatNumber(item.alternatives)}. Здесь все вместе,
            текст показан один из них.
          </Text>
        )}
        {item.versions > 1 && (
          <Text size="sm" c="dimmed">
            Вопрос менялся: версий {formatNumber(item.versions)}. Здесь все попытки, текст показан
            последний.
          </Text>
        )}
      </Stack>
    </QuestionPictures>
  );
}
