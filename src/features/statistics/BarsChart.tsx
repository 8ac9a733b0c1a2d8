import {
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts';
import { formatNumber } from '#domain/format.ts';
import { formatBin } from '#domain/labels-statistics.ts';
import type { Bin } from '#domain/statistics.ts';

const TICK = { fill: 'var(--app-dimmed)', fontSize: 13 };
const MARGIN = { top: 20, right: 0, bottom: 0, left: 0 };

/** Empty bars have no label. */
const countShown = (count: unknown) =>
  typeof count === 'number' && count > 0 ? formatNumber(count) : '';

/** A histogram of attempts, without animation. */
export function BarsChart({ bins }: { bins: readonly Bin[] }) {
  const data = bins.map(({ from, to, count }) => ({ range: formatBin(from, to), count }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={data} margin={MARGIN} barCategoryGap="10%" accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--app-line)" />
        <XAxis
          dataKey="range"
          tick={TICK}
          tickLine={false}
          stroke="var(--app-control)"
          interval="equidistantPreserveStart"
        />
        <YAxis
          width={32}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          tickCount={4}
          allowDecimals={false}
        />
        <Bar
          dataKey="count"
          fill="var(--app-chart)"
          radius={[3, 3, 0, 0]}
          maxBarSize={72}
          isAnimationActive={false}
        >
          <LabelList
            dataKey="count"
            position="top"
            fill="var(--app-text)"
            fontSize={13}
            formatter={countShown}
          />
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  );
}
