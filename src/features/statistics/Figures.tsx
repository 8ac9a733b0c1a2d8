import { useMayManage } from '#app/lib/sharing/use-may-manage.ts';
import { Box, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TestAnalysis } from '#contract/statistics.ts';
import { formatNumber, plural } from '#domain/format.ts';
import {
  formatAlpha,
  formatMean,
  formatMedian,
  formatStandardError,
  formatMedianTime,
} from '#domain/labels-statistics.ts';
import { cx } from '#app/ui/cx.ts';
import classes from './Statistics.module.css';
import type { StatisticsSearch } from './statistics-search.ts';

interface FigureProps {
  value: string;
  label: string;
  children?: ReactNode;
}

function Figure({ value, label, children }: FigureProps) {
  return (
    <Stack gap={0} pe="md">
      <Box component="dt" fz={15}>
        {label}
      </Box>
      <Box component="dd" className="tabular" fz={28} fw={600} lh={1.25} style={{ order: -1 }}>
        {value}
      </Box>
      <Text component="dd" size="sm" c="dimmed" mt={4} textWrap="pretty">
        {children}
      </Text>
    </Stack>
  );
}

const shown = (value: number | null, digits = 1) =>
  value === null ? '–' : formatNumber(value, digits);

/** Always two decimals: «0,80». */
const twoDecimals = (value: number | null) =>
  value === null ? '–' : value.toFixed(2).replace('.', ',').replace('-', '−');

/** Summary figures of the attempts, each with an explanation. */
export function Figures({
  testId,
  analysis,
  search,
}: {
  testId: string;
  analysis: TestAnalysis;
  search: StatisticsSearch;
}) {
  const mayGrade = useMayManage(testId, 'grade');
  const { attempts, pendingReview, mean, median, maxScore, deviation, alpha } = analysis;
  const { standardError, medianSeconds } = analysis;
  return (
    <Box
      component="dl"
      className={cx('line-above', 'line-below', classes.figures)}
      py="sm"
      aria-label="Главное"
    >
      <Figure
        value={formatNumber(attempts)}
        label={plural(attempts, [
          'завершённая попытка',
          'завершённые попытки',
          'завершённых попыток',
        ])}
      >
        {medianSeconds !== null && formatMedianTime(medianSeconds)}
      </Figure>
      <Figure value={shown(mean)} label={`средний балл из ${formatNumber(maxScore)}`}>
        {mean !== null && formatMean(mean, maxScore, deviation)}
      </Figure>
      <Figure value={shown(median)} label="медиана">
        {median !== null && formatMedian(median)}
      </Figure>
      <Figure value={twoDecimals(alpha)} label="надёжность, α Кронбаха">
        {formatAlpha(alpha, attempts)}{' '}
        {alpha !== null && standardError !== null && formatStandardError(standardError)}
      </Figure>
      <Figure
        value={formatNumber(pendingReview)}
        label={plural(pendingReview, [
          'работа на проверке',
          'работы на проверке',
          'работ на проверке',
        ])}
      >
        {pendingReview > 0 && (
          <>
            Их баллы пока неполные.{' '}
            {mayGrade && (
              <Link
                to="/tests/manage/$testId/grading"
                params={{ testId }}
                search={search.trials ? { trials: search.trials } : {}}
              >
                Проверить
              </Link>
            )}
          </>
        )}
      </Figure>
    </Box>
  );
}
