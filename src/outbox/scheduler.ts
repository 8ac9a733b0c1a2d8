import { backoffMs } from './backoff.ts';
import type { Outbox } from './outbox.ts';
import type { Transport } from './transport.ts';
import type { DeviceClock, Timers } from './surroundings.ts';
import type { FlushReport, Reachability } from './types.ts';

/** What wakes the outbox, besides its own writes. Each gives the way to stop. */
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
  /** What the browser believes; only a hint. */
  readonly online: () => boolean;
  readonly log?: (event: { readonly event: string; readonly detail: string }) => void;
}

export interface Scheduler {
  /** Sends what is due now and keeps watching until stopped. */
  start(): Promise<void>;
  stop(): void;
  /** Somebody wants a try now: a button, a sync event, a new sign-in. Waits are forgotten. */
  wake(): Promise<FlushReport | null>;
  /** Asks the server whether it is there. */
  probe(): Promise<Reachability>;
}

/** A quiet page looks again this often; timers in the background may come later. */
const IDLE_MS = 30_000;

/**
 * Decides when the outbox sends: at opening, on every write, when the network or the page comes back,
 * and by a timer with back-off. Tells «нет сети» from «сервер не отвечает» by a real probe.
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

  /** By the timer: send what is due; with nothing to send, look whether the server came back. */
  async function tick(): Promise<void> {
    const report = await send(false);
    const hasSpoken = (report?.acknowledged ?? 0) > 0;
    if (hasSpoken || outbox.reachability() === 'reachable') return;
    const found = await probe().catch(() => null);
    if (found === 'reachable') await send(true);
    else if (found) plan(Math.min(IDLE_MS, backoffMs(silentProbes, env.random)));
  }

  async function wake(): Promise<FlushReport | null> {
    return send(true);
  }

  return {
    start: async () => {
      if (isRunning) return;
      isRunning = true;
      stops = [
        outbox.subscribe((event) => {
          if (event.kind === 'written') void send(false);
        }),
        env.signals.onOnline(() => void probe().then(wake, () => undefined)),
        env.signals.onOffline(() => outbox.setReachability('offline')),
        env.signals.onVisible(() => void wake()),
      ];
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
