import { useEffect, useState, type RefObject } from 'react';
import { createSeriesReader } from './series-reader.ts';
import { useCodes } from './use-codes.ts';

/** A person who aims a camera reads the hint in time and is not interrupted by it. */
const UNREADABLE_AFTER_MS = 8_000;

export interface SeriesListener {
  onBytes: (bytes: Uint8Array) => void;
  onForeign: (() => void) | undefined;
}

interface ReadingState {
  /** 0 to 1. */
  done: number;
  isRead: boolean;
  /** `unreadable`: nothing new was read for some time. */
  problem: 'foreign' | 'damaged' | 'unreadable' | null;
  /** The worker that reads codes failed. */
  hasFailed: boolean;
}

const START: ReadingState = { done: 0, isRead: false, problem: null, hasFailed: false };

export interface SeriesReading extends ReadingState {
  retry: () => void;
}

/** Reads one series from a video. The end of a pause begins the next one. */
export function useSeriesReading(
  video: RefObject<HTMLVideoElement | null>,
  { isOpen, isPaused }: { isOpen: boolean; isPaused: boolean },
  { onBytes, onForeign }: SeriesListener,
): SeriesReading {
  const [reader, setReader] = useState(createSeriesReader);
  const [state, setState] = useState(START);
  const [wasPaused, setWasPaused] = useState(isPaused);
  const change = (changes: Partial<ReadingState>) =>
    setState((before) => ({ ...before, ...changes }));
  if (isPaused !== wasPaused) {
    setWasPaused(isPaused);
    if (!isPaused) {
      setReader(createSeriesReader());
      setState(START);
    }
  }
  const { done, isRead, problem, hasFailed } = state;
  const isActive = isOpen && !isPaused && !isRead && !hasFailed;
  useEffect(() => {
    if (!isActive) return;
    const showHint = () =>
      setState((before) => (before.done === done ? { ...before, problem: 'unreadable' } : before));
    const timer = setTimeout(showHint, UNREADABLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isActive, done]);
  useCodes(video, isActive, {
    onCode(content) {
      const progress = reader.add(content);
      const { bytes } = progress;
      change({ done: progress.done, problem: progress.problem, isRead: bytes !== null });
      if (progress.problem === 'foreign' && problem !== 'foreign') onForeign?.();
      if (bytes) onBytes(bytes);
      return bytes === null;
    },
    onFailure: () => change({ hasFailed: true }),
  });
  return { ...state, retry: () => change({ hasFailed: false }) };
}
