import { Group, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useScreenOn } from '#app/lib/use-screen-on.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { drawCode } from './draw-code.ts';
import { encodeSeries, type FrameSeries } from './encode-series.ts';
import classes from './QrSeries.module.css';

/**
 * Codes per second. A module of the picture changes at most six times in a second, which is three pairs of opposing
 * changes: WCAG 2.3.1 allows three flashes of any size. On average it changes half as often, and as many modules become
 * dark as become bright, so that the brightness of the whole stays.
 */
const CODES_PER_SECOND = 6;
const SLOW_CODES_PER_SECOND = 2;

function paintCode(canvas: HTMLCanvasElement, series: FrameSeries, index: number): void {
  const isStill = series.count === 1;
  const { side, isDark } = drawCode(series.frame(index), isStill ? undefined : index);
  const context = canvas.getContext('2d');
  if (!context) return;
  canvas.width = side;
  canvas.height = side;
  const pixels = context.createImageData(side, side);
  for (let at = 0; at < side * side; at += 1) {
    const light = isDark(at % side, Math.floor(at / side)) ? 0 : 255;
    pixels.data.set([light, light, light, 255], at * 4);
  }
  context.putImageData(pixels, 0, 0);
}

interface CodeProps {
  series: FrameSeries;
  label: string;
  /** Codes per second; 0 stops at the present one. */
  rate: number;
}

function Code({ series, label, rate }: CodeProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const index = useRef(0);
  useEffect(() => {
    index.current = 0;
    if (canvas.current) paintCode(canvas.current, series, 0);
  }, [series]);
  useEffect(() => {
    if (rate === 0 || series.count === 1) return;
    const showNext = () => {
      index.current += 1;
      if (canvas.current) paintCode(canvas.current, series, index.current);
    };
    const timer = setInterval(showNext, 1_000 / rate);
    return () => clearInterval(timer);
  }, [series, rate]);
  return <canvas ref={canvas} className={classes.code} role="img" aria-label={label} />;
}

export interface QrSeriesProps {
  /** At most `MAX_SERIES_BYTES`. Another array begins another series. */
  bytes: Uint8Array;
  /** What the codes contain, for a screen reader. */
  label: string;
}

/**
 * Shows bytes to the camera of another device: a single QR code, or a series that repeats without end. Black on white
 * in every scheme; the screen stays on. Nothing of it is announced.
 */
export function QrSeries({ bytes, label }: QrSeriesProps) {
  const series = useMemo(() => encodeSeries(bytes), [bytes]);
  const prefersStillness = useMedia('(prefers-reduced-motion: reduce)');
  const [chosenSlow, setChosenSlow] = useState<boolean | null>(null);
  const [isPaused, setPaused] = useState(false);
  useScreenOn(true);
  const isSlow = chosenSlow ?? prefersStillness;
  const rate = isSlow ? SLOW_CODES_PER_SECOND : CODES_PER_SECOND;
  return (
    <Stack align="center" gap="sm" className={classes.series}>
      <Code series={series} label={label} rate={isPaused ? 0 : rate} />
      {series.count > 1 && (
        <>
          <Group gap="0 1.5rem" justify="center">
            <QuietButton
              icon={isPaused ? IconPlayerPlay : IconPlayerPause}
              onClick={() => setPaused(!isPaused)}
            >
              {isPaused ? 'Продолжить' : 'Пауза'}
            </QuietButton>
            <QuietButton onClick={() => setChosenSlow(!isSlow)}>
              {isSlow ? 'Быстрее' : 'Медленнее'}
            </QuietButton>
          </Group>
          {prefersStillness && isSlow && (
            <Text size="sm" c="dimmed" ta="center" textWrap="balance">
              Коды меняются медленно, потому что в настройках устройства отключена анимация.
              Передача будет дольше.
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
