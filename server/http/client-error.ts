import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import type { Deps } from '#server/deps.ts';
import { securityHeaders } from './security-headers.ts';

const CODES: Readonly<Record<string, { status: number; code: ErrorCode }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'TOO_LARGE' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'BAD_REQUEST' },
};

/** Replies to bytes that are not HTTP with the uniform error body, and closes the connection. */
export function answerNoHttp({ newId, settings }: Pick<Deps, 'newId' | 'settings'>) {
  const guards = Object.entries(securityHeaders(settings)).map(
    ([name, text]) => `${name}: ${text}`,
  );
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, code } = CODES[error.code ?? ''] ?? { status: 400, code: 'BAD_REQUEST' };
    const body: ErrorBody = { code, message: ERRORS[code].message, requestId: newId() };
    const bytes = JSON.stringify(body);
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(bytes)}`,
        'cache-control: no-store',
        'connection: close',
        ...guards,
        '',
        bytes,
      ].join('\r\n'),
    );
  };
}
