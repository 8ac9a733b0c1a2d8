import { Box, Text, VisuallyHidden } from '@mantine/core';
import { formatNumber } from '#domain/format.ts';
import { formatBin } from '#domain/labels-statistics.ts';
import type { Bin } from '#domain/statistics.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { Card, CardHead, INSET, Nothing } from './CardHead.tsx';
import classes from './Statistics.module.css';

/** Lazy: the chart library is larger than the rest of the page. */
const BarsChart = lazyPart(
  () => import('./BarsChart.tsx'),
  (module) => module.BarsChart,
);

export interface ChartCardProps {
  heading: string;
  /** Beside the heading: «среднее 26,2». */
  aside: string;
  /** «баллы», «минуты» */
  unit: string;
  bins: readonly Bin[];
  /** Text shown instead of an empty chart. */
  nothing: string;
}

/** A distribution as a chart and as a table. */
export function ChartCard({ heading, aside, unit, bins, nothing }: ChartCardProps) {
  return (
    <Card>
      <CardHead heading={heading}>{aside}</CardHead>
      {bins.length === 0 ? (
        <Nothing>{nothing}</Nothing>
      ) : (
        <>
          <Box {...INSET} h="13rem" aria-hidden>
            <BarsChart bins={bins} />
          </Box>
          <Text size="xs" c="dimmed" ta="center">
            {unit}
          </Text>
          <Box component="details" className={classes.asTable} {...INSET}>
            <summary>Показать таблицей</summary>
            <table className="tabular">
              <VisuallyHidden component="caption">{heading}</VisuallyHidden>
              <thead>
                <tr>
                  <th scope="col">{unit}</th>
                  <th scope="col">попыток</th>
                </tr>
              </thead>
              <tbody>
                {bins.map(({ from, to, count }) => (
                  <tr key={from}>
                    <td>{formatBin(from, to)}</td>
                    <td>{formatNumber(count)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Box>
        </>
      )}
    </Card>
  );
}
