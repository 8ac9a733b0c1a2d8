import { readFile } from 'node:fs/promises';
import type { Server as TlsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { OperatorError, messageOf } from '#server/db/operator-error.ts';
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

/** Reads key and certificate from their files and checks that they match. */
export async function readTls(certPath: string, keyPath: string): Promise<Certificate> {
  const pair = { cert: await read('TLS_CERT', certPath), key: await read('TLS_KEY', keyPath) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new OperatorError(
      `Сертификат ${certPath} и ключ ${keyPath} не подходят друг к другу или записаны не в PEM: ${messageOf(error)}`,
      { cause: error },
    );
  }
  return pair;
}

/** Loads a renewed certificate without a restart; an invalid one leaves the old in force. */
export async function reloadTls(
  app: FastifyInstance,
  paths: { cert: string; key: string },
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    const pair = await readTls(paths.cert, paths.key);
    (app.server as unknown as TlsServer).setSecureContext(pair);
    log.info('certificate read again');
  } catch (error) {
    log.error({ err: error }, 'the new certificate is not used');
  }
}
