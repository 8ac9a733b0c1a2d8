/** A student whose attempt runs, as the load program needs it. */
export interface BenchStudent {
  readonly token: string;
  readonly attemptId: string;
  readonly stream: string;
  readonly epoch: number;
}

/** What the load program is told to do; it answers each with a `Load`. */
export type Task =
  | {
      readonly kind: 'saves';
      readonly port: number;
      readonly students: readonly BenchStudent[];
      readonly seconds: number;
    }
  | {
      readonly kind: 'reads';
      readonly port: number;
      readonly students: readonly BenchStudent[];
      readonly seconds: number;
    }
  | {
      readonly kind: 'signIns';
      readonly port: number;
      readonly emails: readonly string[];
      readonly password: string;
    }
  | {
      readonly kind: 'upserts';
      readonly url: string;
      readonly callers: number;
      readonly connections: number;
      readonly seconds: number;
    };

/** How a task went. Times in milliseconds, processor time in microseconds. */
export interface Load {
  readonly calls: number;
  readonly ms: number;
  /** Of each call, ascending. */
  readonly latencies: readonly number[];
  /** What was no success, each kind with its count. */
  readonly failures: Readonly<Record<string, number>>;
  readonly cpuUs: number;
  /** Part of the time that the load program itself was busy, 0 to 1: near 1 it is the bottleneck. */
  readonly busy: number;
}
