import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { OperatorError, codeOf } from './db/operator-error.ts';

const asListenError = (error: unknown, host: string, port: number): unknown => {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Порт ${port} занят другой программой. Остановите её или укажите другой: PORT=${port + 10}.`,
      );
    case 'EACCES':
      return new OperatorError(
        `Порт ${port} открыть нельзя: нет прав. Укажите порт от 1024, например PORT=3000.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(
        `У этой машины нет адреса ${host}. Укажите в HOST свой, например 127.0.0.1 или 0.0.0.0.`,
      );
    default:
      return error;
  }
};

/**
 * Listens and returns the port.
 * @throws {OperatorError} when the address cannot be used
 */
export async function listenApp(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw asListenError(error, host, port);
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** The same for a plain server. */
export function listenPlain(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(asListenError(error, host, port)));
    server.listen(port, host, () => resolve());
  });
}
