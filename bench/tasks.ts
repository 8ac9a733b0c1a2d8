/** A student with a running attempt, for the load program. */
export interface BenchStudent {
  readonly token: string;
  readonly attemptId: string;
  readonly stream: string;
  readonly epoch: number;
}

/** Tasks of the load program; it replies to each with a `Load`. */
export type BenchTask =
  | {
      readonly kind: 'saves';
      readonly port: number;
      readonly students: readonly BenchStudent[];
      readonly seconds: number;
      /** Calls of each student at most; absent: until the time is over. */
      readonly callsEach?: number;
      /** Calls of all students together, at even intervals; absent: each as soon as the last is answered. */
      readonly perSecond?: number;
    }
  | {
      readonly kind: 'attempts';
      readonly port: number;
      readonly testId: string;
      /** Of students who have not started; each sits the test once. */
      readonly tokens: readonly string[];
      readonly callers: number;
      readonly answers: number;
    }
  | {
      readonly kind: 'reads';
      readonly port: number;
      readonly students: readonly BenchStudent[];
      readonly seconds: number;
    }
  | {
      /** All at once, one call each. */
      readonly kind: 'offers' | 'starts';
      readonly port: number;
      readonly testId: string;
      readonly tokens: readonly string[];
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

/** Result of a task. Times in milliseconds, processor time in microseconds. */
export interface Load {
  readonly calls: number;
  readonly ms: number;
  /** Durations of the calls, ascending. */
  readonly latencies: readonly number[];
  /** Failures by kind, with their counts. */
  readonly failures: Readonly<Record<string, number>>;
  readonly cpuUs: number;
  /** Utilization of the load program itself, 0 to 1: near 1 it is the bottleneck. */
  readonly busy: number;
}
