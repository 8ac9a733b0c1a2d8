import { readFile } from 'node:fs/promises';
import type { Server as TlsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { OperatorError, messageOf } from '#server/db/operator-error.ts';
import type { Environment } from '#server/environment.ts';
import type { Certificate } from '#server/lan/certificates.ts';

const read = async (variable: string, path: string) => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`Файл из ${variable} не читается: ${messageOf(error)}`, {
      cause: error,
    });
  }
};

type TlsPaths = Pick<Environment, 'TLS_CERT' | 'TLS_KEY'>;

/**
 * The operator's key and certificate, read from their files; null: none are named.
 * @throws {OperatorError} when one cannot be read, or when they do not match
 */
export async function readTls({ TLS_CERT, TLS_KEY }: TlsPaths): Promise<Certificate | null> {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return null;
  const pair = { cert: await read('TLS_CERT', TLS_CERT), key: await read('TLS_KEY', TLS_KEY) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new OperatorError(
      `Сертификат ${TLS_CERT} и ключ ${TLS_KEY} не подходят друг к другу или записаны не в PEM: ${messageOf(error)}`,
      { cause: error },
    );
  }
  return pair;
}

/** Loads a renewed certificate without a restart; an invalid one leaves the old in force. */
export async function reloadTls(
  app: FastifyInstance,
  paths: TlsPaths,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    const pair = await readTls(paths);
    if (!pair) return;
    (app.server as unknown as TlsServer).setSecureContext(pair);
    log.info('certificate read again');
  } catch (error) {
    log.error({ err: error }, 'the new certificate is not used');
  }
}
