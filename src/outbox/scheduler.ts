import type { DeviceClock, Timers } from '#app/api/timers.ts';
import type { Outbox } from './outbox.ts';
import { backoffMs } from './plan.ts';
import type { Transport } from './transport.ts';
import type { FlushReport, Reachability } from './types.ts';

/** When the outbox sends, and when it reports that it is online. */

/** Browser events that trigger sending. Each subscription returns its unsubscribe function. */
export interface Signals {
  onOnline(run: () => void): () => void;
  onOffline(run: () => void): () => void;
  /** The page became visible, or came back from sleep. */
  onVisible(run: () => void): () => void;
}

export interface SchedulerEnvironment {
  readonly outbox: Outbox;
  readonly transport: Transport;
  readonly timers: Timers;
  readonly clock: DeviceClock;
  readonly random: () => number;
  readonly signals: Signals;
  /** The browser's own state; only a hint. */
  readonly online: () => boolean;
  readonly log?: (event: { readonly event: string; readonly detail: string }) => void;
}

export interface Scheduler {
  /** Sends what is due now and continues until stopped. */
  start(): Promise<void>;
  stop(): void;
  /** Sends now and resets the back-off: a button, a sync event, a new sign-in. */
  wake(): Promise<FlushReport | null>;
  /** Checks whether the server is reachable. */
  probe(): Promise<Reachability>;
}

/** Poll interval of an idle page; background timers may fire later. */
const IDLE_MS = 30_000;

/** Sends on a write and on the browser's events. Returns the functions that unsubscribe. */
function sendOnEvents(
  { outbox, signals }: SchedulerEnvironment,
  {
    send,
    probe,
  }: { send(force: boolean): Promise<FlushReport | null>; probe(): Promise<Reachability> },
): (() => void)[] {
  return [
    outbox.subscribe((event) => {
      if (event.kind === 'written') void send(false);
    }),
    signals.onOnline(
      () =>
        void probe().then(
          () => send(true),
          () => undefined,
        ),
    ),
    signals.onOffline(() => outbox.setReachability('offline')),
    signals.onVisible(() => void send(true)),
  ];
}

/**
 * Decides when the outbox sends: at opening, on every write, when the network or the page comes back,
 * and by a timer with back-off. Distinguishes «нет сети» from «сервер не отвечает» by a real probe.
 */
export function createScheduler(env: SchedulerEnvironment): Scheduler {
  const { outbox, timers } = env;
  let timer: unknown;
  let stops: (() => void)[] = [];
  let isRunning = false;
  let silentProbes = 0;

  async function probe(): Promise<Reachability> {
    const sent = await env.transport.probe();
    if (sent.ok) await outbox.observe(sent.facts);
    const isOurs = sent.ok || sent.failure.kind === 'refused';
    const reachability: Reachability = isOurs ? 'reachable' : env.online() ? 'silent' : 'offline';
    silentProbes = isOurs ? 0 : silentProbes + 1;
    outbox.setReachability(reachability);
    return reachability;
  }

  function plan(ms: number): void {
    timers.clear(timer);
    if (isRunning) timer = timers.set(() => void tick(), ms);
  }

  async function send(force: boolean): Promise<FlushReport | null> {
    try {
      const report = await outbox.flush({ force });
      plan(Math.min(IDLE_MS, Math.max(50, report.nextInMs ?? IDLE_MS)));
      return report;
    } catch (error) {
      env.log?.({ event: 'flushFailed', detail: String(error) });
      plan(backoffMs(3, env.random));
      return null;
    }
  }

  /** On the timer: sends what is due; with nothing to send, probes whether the server is back. */
  async function tick(): Promise<void> {
    const report = await send(false);
    const hasReplied = (report?.acknowledged ?? 0) > 0;
    if (hasReplied || outbox.reachability() === 'reachable') return;
    const found = await probe().catch(() => null);
    if (found === 'reachable') await send(true);
    else if (found) plan(Math.min(IDLE_MS, backoffMs(silentProbes, env.random)));
  }

  const wake = (): Promise<FlushReport | null> => send(true);

  return {
    start: async () => {
      if (isRunning) return;
      isRunning = true;
      stops = sendOnEvents(env, { send, probe });
      await outbox.opened();
      await send(true);
      if (outbox.reachability() !== 'reachable') await probe().catch(() => undefined);
    },
    stop: () => {
      isRunning = false;
      timers.clear(timer);
      for (const stop of stops) stop();
      stops = [];
    },
    wake,
    probe,
  };
}

export interface ReporterEnvironment {
  readonly outbox: Pick<Outbox, 'report'>;
  readonly timers: Timers;
  readonly random: () => number;
  readonly signals: Pick<Signals, 'onOnline' | 'onVisible'>;
  /** The page is visible and the browser believes that it is online. */
  readonly present: () => boolean;
  readonly log?: (event: { readonly event: string; readonly detail: string }) => void;
}

/** Interval between reports of an idle device, with jitter so that a class does not report in a burst. */
const EVERY_MS = 30_000;
const SPREAD_MS = 10_000;

/** Reports periodically while the student writes nothing. Returns the function that stops it. */
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
