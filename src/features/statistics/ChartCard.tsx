import { Box, Text, VisuallyHidden } from '@mantine/core';
import { formatNumber } from '#domain/format.ts';
import { formatBin } from '#domain/labels-statistics.ts';
import type { Bin } from '#domain/statistics.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { Card, CardHead, INSET, Nothing } from './CardHead.tsx';

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

const HEAD = {
  component: 'th',
  scope: 'col',
  inherit: true,
  px: 0,
  py: 4,
  c: 'dimmed',
  fz: 'xs',
  fw: 400,
} as const;

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
          <Box component="details" {...INSET}>
            <Text component="summary" size="sm" lh="inherit" fw={500} c="var(--app-link)">
              Показать таблицей
            </Text>
            <Box
              component="table"
              w="100%"
              fz={15}
              className="tabular"
              style={{ borderCollapse: 'collapse' }}
            >
              <VisuallyHidden component="caption">{heading}</VisuallyHidden>
              <thead>
                <tr className="line-below">
                  <Text {...HEAD} ta="start">
                    {unit}
                  </Text>
                  <Text {...HEAD} ta="end">
                    попыток
                  </Text>
                </tr>
              </thead>
              <tbody>
                {bins.map(({ from, to, count }) => (
                  <tr key={from} className="line-below">
                    <Box component="td" px={0} py={4}>
                      {formatBin(from, to)}
                    </Box>
                    <Box component="td" px={0} py={4} ta="end">
                      {formatNumber(count)}
                    </Box>
                  </tr>
                ))}
              </tbody>
            </Box>
          </Box>
        </>
      )}
    </Card>
  );
}
