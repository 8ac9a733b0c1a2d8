import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Spreads connections over servers in turn; one that refuses a connection is passed over. */
export interface Balancer {
  readonly url: string;
  /** The servers from now on. */
  serve(urls: readonly string[]): void;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  let turn = 0;
  const open = new Set<Socket>();

  function pass(client: Socket, triesLeft: number): void {
    const port = ports[(turn += 1) % ports.length];
    if (port === undefined || triesLeft === 0) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    let isConnected = false;
    server.once('connect', () => {
      isConnected = true;
      client.pipe(server).pipe(client);
    });
    server.once('close', () => {
      // Nothing was sent yet, so another server may take it.
      if (isConnected) client.destroy();
      else pass(client, triesLeft - 1);
    });
    server.on('error', () => undefined);
    client.once('close', () => server.destroy());
  }

  const listener = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => undefined);
    pass(client, ports.length);
  });
  await new Promise<void>((listens) => listener.listen(0, '127.0.0.1', listens));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    serve(urls) {
      ports = urls.map((url) => Number(new URL(url).port));
    },
    async close() {
      for (const client of open) client.destroy();
      await new Promise((closed) => listener.close(closed));
    },
  };
}
