import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedServer, launchEmbedded } from '#server/db/embedded/launch.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { clear, openFolder } from './folders.ts';

/** Embedded servers of one test, in a temporary folder with a system folder of its own. */
export type Bench = {
  folder: string;
  /** Starts a quick server on a data folder. */
  launch(dataDir: string, extra?: { transport?: 'tcp' }): Promise<EmbeddedServer>;
  stopAll(): Promise<void>;
  clear(): Promise<void>;
};

export async function makeBench(): Promise<Bench> {
  const folder = await openFolder();
  const servers: EmbeddedServer[] = [];
  const stopAll = async (): Promise<void> => {
    for (const server of servers.splice(0)) await server.stop();
  };
  return {
    folder,
    async launch(dataDir, extra = {}) {
      const systemFolder = join(folder, 'system');
      const say = (): void => undefined;
      const server = await launchEmbedded({ dataDir, say, durable: false, systemFolder, ...extra });
      servers.push(server);
      return server;
    },
    stopAll,
    async clear() {
      await stopAll();
      await clear(folder);
    },
  };
}

/** The rows of one query on a connection of its own. */
export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The operator's message; any other error is rethrown. */
export function refusal(start: Promise<unknown>): Promise<unknown> {
  return start.then(
    () => 'it started',
    (error: unknown) => (error instanceof OperatorError ? error.message : error),
  );
}
