import { ApiFailure } from '#app/api/failure.ts';
import type { Timers } from '#app/api/timers.ts';
import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import type { FakeServer, FakeWorld } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import type { CallResult, Transport } from './transport.ts';

/** A virtual line of limited rate for the outbox's tests: requests go one after another, the worst for an answer. */

export interface LineTraits {
  /** Bits per second at a time since the start. */
  readonly rate: (elapsedMs: number) => number;
  readonly latencyMs: number;
  /** From 0 up to, not including, 1; the share of the latency that varies. */
  readonly jitter?: () => number;
}

/** Headers and address of a request. */
const HEAD_BYTES = 1_200;
const SLICE_MS = 10;

export interface SlowLine {
  readonly transport: Transport;
  readonly timeOuts: () => number;
}

export function createSlowLine(
  server: FakeServer,
  world: FakeWorld,
  timers: Timers,
  traits: LineTraits,
): SlowLine {
  const start = world.now;
  const inner = fakeTransport(server, () => world.now);
  let freeAt = start;
  let timeOuts = 0;

  /** The time at which these bytes have left the device. */
  function sentAt(from: number, bytes: number): number {
    let at = from;
    for (let left = bytes * 8; left > 0; at += SLICE_MS) {
      left -= (traits.rate(at - start) * SLICE_MS) / 1_000;
    }
    return at;
  }

  /** Sends a request of this size; without the whole reply in time it has no effect. */
  async function send<T>(
    bytes: number,
    effect: () => Promise<CallResult<T>>,
    limitMs = HTTP_TIMEOUT_MS,
  ): Promise<CallResult<T>> {
    const givenUpAt = world.now + limitMs;
    const latency = traits.latencyMs * (0.5 + (traits.jitter?.() ?? 0.5));
    const done = sentAt(Math.max(world.now, freeAt), bytes + HEAD_BYTES);
    const isLate = done + latency > givenUpAt;
    freeAt = Math.max(freeAt, Math.min(done, givenUpAt));
    const until = isLate ? givenUpAt : done + latency;
    await new Promise<void>((resolve) => {
      timers.set(resolve, until - world.now);
    });
    if (!isLate) return effect();
    timeOuts += 1;
    const failure = new ApiFailure({ kind: 'unreachable', timedOut: true, method: '', url: '' });
    return { ok: false, failure };
  }

  return {
    timeOuts: () => timeOuts,
    transport: {
      ...inner,
      answer: (token, attemptId, answer, headers, timeoutMs) =>
        send(
          new TextEncoder().encode(JSON.stringify(answer)).length,
          () => inner.answer(token, attemptId, answer, headers),
          timeoutMs,
        ),
      finish: (token, attemptId, headers, timeoutMs) =>
        send(0, () => inner.finish(token, attemptId, headers), timeoutMs),
      uploadChunk: (token, chunk, headers) =>
        send(chunk.bytes.length, () => inner.uploadChunk(token, chunk, headers)),
      savedAnswers: (token, attemptId, headers) =>
        send(0, () => inner.savedAnswers(token, attemptId, headers)),
      probe: () => send(0, () => inner.probe()),
    },
  };
}
