import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { safeFileName } from '#domain/file-name.ts';

/** A file to send. */
export interface Attachment {
  readonly bytes: Readable | Buffer;
  /** Bytes; null: not known in advance. */
  readonly size: number | null;
  readonly name: string;
  readonly mimeType: string;
}

const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Sends a file as a named attachment, so that the browser never renders it in our origin. */
export function sendAttachment(reply: FastifyReply, file: Attachment): FastifyReply {
  if (!Buffer.isBuffer(file.bytes))
    file.bytes.once('error', (error) => {
      // A disconnected client ends the source, too.
      if (!reply.raw.destroyed) reply.log.warn({ err: error }, 'a file broke off on its way');
    });
  return reply
    .headers({
      'content-type': file.mimeType,
      ...(file.size === null ? {} : { 'content-length': `${file.size}` }),
      'content-disposition': `attachment; filename*=UTF-8''${encoded(safeFileName(file.name))}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    })
    .send(file.bytes);
}
