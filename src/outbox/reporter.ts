import type { Outbox } from './outbox.ts';
import type { Signals } from './scheduler.ts';
import type { Timers } from './surroundings.ts';

export interface ReporterEnvironment {
  readonly outbox: Pick<Outbox, 'report'>;
  readonly timers: Timers;
  readonly random: () => number;
  readonly signals: Pick<Signals, 'onOnline' | 'onVisible'>;
  /** Somebody looks at the page, and the browser believes that there is a network. */
  readonly present: () => boolean;
  readonly log?: (event: { readonly event: string; readonly detail: string }) => void;
}

/** A device that nobody writes on is heard about every half minute; spread, so that a class is no burst. */
const EVERY_MS = 30_000;
const SPREAD_MS = 10_000;

/** Lets the server hear a device whose student reads or thinks. Returns the way to stop. */
export function startReporting(env: ReporterEnvironment): () => void {
  let timer: unknown;
  let isReporting = false;

  function plan(): void {
    env.timers.clear(timer);
    timer = env.timers.set(() => void report(), EVERY_MS + (env.random() - 0.5) * SPREAD_MS);
  }

  async function report(): Promise<void> {
    plan();
    if (isReporting || !env.present()) return;
    isReporting = true;
    try {
      await env.outbox.report();
    } catch (error) {
      env.log?.({ event: 'reportFailed', detail: String(error) });
    } finally {
      isReporting = false;
    }
  }

  plan();
  const stops = [
    env.signals.onOnline(() => void report()),
    env.signals.onVisible(() => void report()),
  ];
  return () => {
    env.timers.clear(timer);
    for (const stop of stops) stop();
  };
}
