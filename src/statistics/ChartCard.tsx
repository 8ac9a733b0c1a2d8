import { Suspense, lazy } from 'react';
import { formatNumber } from '#domain/format.ts';
import { binWords } from '#domain/labels-statistics.ts';
import type { Bin } from '#domain/statistics.ts';
import classes from './Statistics.module.css';

const Unavailable = () => (
  <p className={classes.nothing}>Диаграмма не загрузилась. Те же данные есть в таблице.</p>
);

/** The library of charts weighs more than all the rest of the page, and comes after it. */
const BarsChart = lazy(() =>
  import('./BarsChart.tsx').then(
    (loaded) => ({ default: loaded.BarsChart }),
    () => ({ default: Unavailable }),
  ),
);

export interface ChartCardProps {
  heading: string;
  /** Beside the heading: «среднее 26,2». */
  aside: string;
  /** «баллы», «минуты» */
  unit: string;
  bins: readonly Bin[];
  /** Said instead of an empty chart. */
  nothing: string;
}

/** A distribution as a chart, and the same as a table. */
export function ChartCard({ heading, aside, unit, bins, nothing }: ChartCardProps) {
  return (
    <section className={classes.card}>
      <div className={classes.cardHead}>
        <h2>{heading}</h2>
        <span className={classes.aside}>{aside}</span>
      </div>
      {bins.length === 0 ? (
        <p className={classes.nothing}>{nothing}</p>
      ) : (
        <>
          <div className={classes.chart} aria-hidden>
            <Suspense>
              <BarsChart bins={bins} />
            </Suspense>
          </div>
          <p className={classes.unit}>{unit}</p>
          <details className={classes.asTable}>
            <summary>Показать таблицей</summary>
            <table>
              <caption className={classes.caption}>{heading}</caption>
              <thead>
                <tr>
                  <th scope="col">{unit}</th>
                  <th scope="col">попыток</th>
                </tr>
              </thead>
              <tbody>
                {bins.map(({ from, to, count }) => (
                  <tr key={from}>
                    <td>{binWords(from, to)}</td>
                    <td>{formatNumber(count)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  );
}
