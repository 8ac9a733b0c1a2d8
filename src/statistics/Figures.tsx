import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TestAnalysis } from '#contract/statistics.ts';
import { formatNumber, plural } from '#domain/format.ts';
import {
  alphaWords,
  meanWords,
  medianWords,
  standardErrorWords,
  timeWords,
} from '#domain/labels-statistics.ts';
import classes from './Statistics.module.css';
import type { StatisticsSearch } from './statistics-search.ts';

interface FigureProps {
  value: string;
  label: string;
  children?: ReactNode;
}

function Figure({ value, label, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt className={classes.figureLabel}>{label}</dt>
      <dd className={classes.figureValue}>{value}</dd>
      <dd className={classes.words}>{children}</dd>
    </div>
  );
}

const shown = (value: number | null, digits = 1) =>
  value === null ? '–' : formatNumber(value, digits);

/** A figure with two decimals always: «0,80». */
const twoDecimals = (value: number | null) =>
  value === null ? '–' : value.toFixed(2).replace('.', ',').replace('-', '−');

/** What the attempts come to, each figure with its meaning in plain words. */
export function Figures({
  testId,
  analysis,
  search,
}: {
  testId: string;
  analysis: TestAnalysis;
  search: StatisticsSearch;
}) {
  const { attempts, pendingReview, mean, median, maxScore, deviation, alpha } = analysis;
  const { standardError, medianSeconds } = analysis;
  return (
    <dl className={classes.figures} aria-label="Главное">
      <Figure
        value={formatNumber(attempts)}
        label={plural(attempts, [
          'завершённая попытка',
          'завершённые попытки',
          'завершённых попыток',
        ])}
      >
        {medianSeconds !== null && timeWords(medianSeconds)}
      </Figure>
      <Figure value={shown(mean)} label={`средний балл из ${formatNumber(maxScore)}`}>
        {mean !== null && meanWords(mean, maxScore, deviation)}
      </Figure>
      <Figure value={shown(median)} label="медиана">
        {median !== null && medianWords(median)}
      </Figure>
      <Figure value={twoDecimals(alpha)} label="надёжность, α Кронбаха">
        {alphaWords(alpha, attempts)}{' '}
        {alpha !== null && standardError !== null && standardErrorWords(standardError)}
      </Figure>
      <Figure
        value={formatNumber(pendingReview)}
        label={plural(pendingReview, [
          'работа ждёт проверки',
          'работы ждут проверки',
          'работ ждут проверки',
        ])}
      >
        {pendingReview > 0 && (
          <>
            Их баллы пока неполные.{' '}
            <Link
              to="/tests/manage/$testId/grading"
              params={{ testId }}
              search={search.trials ? { trials: search.trials } : {}}
            >
              Проверить
            </Link>
          </>
        )}
      </Figure>
    </dl>
  );
}
