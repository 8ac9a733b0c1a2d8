import pg from 'pg';

type Done = Parameters<pg.Pool['connect']>[0];

/** A pool that tells how long its connections are waited for. */
export class TimedPool extends pg.Pool {
  /** Gets the seconds that a connection was waited for, had or not. One listener: the last that was set. */
  waited: (seconds: number) => void = () => undefined;

  override connect(): Promise<pg.PoolClient>;
  override connect(done: Done): void;
  override connect(done?: Done): Promise<pg.PoolClient> | undefined {
    const asked = performance.now();
    const note = () => this.waited((performance.now() - asked) / 1_000);
    if (!done) return super.connect().finally(note);
    super.connect((error, client, release) => {
      note();
      done(error, client, release);
    });
    return undefined;
  }
}
