import pg from 'pg';

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** A pool that measures the wait for its connections. */
export class TimedPool extends pg.Pool {
  /** Receives the seconds of a wait for a connection, successful or not. One listener: the last one set. */
  waited: (seconds: number) => void = () => undefined;

  override connect(): Promise<pg.PoolClient>;
  override connect(done: ConnectCallback): void;
  override connect(done?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const startedAt = performance.now();
    const note = () => this.waited((performance.now() - startedAt) / 1_000);
    if (!done) return super.connect().finally(note);
    super.connect((error, client, release) => {
      note();
      done(error, client, release);
    });
    return undefined;
  }
}
