import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { safeFileName } from '#domain/file-name.ts';

/** A file as it leaves. */
export interface Attachment {
  readonly bytes: Readable | Buffer;
  /** Bytes; null: not known beforehand. */
  readonly size: number | null;
  readonly name: string;
  readonly mimeType: string;
}

const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** An attachment with its name: nothing of it is shown by the browser in our origin's name. */
export function sendAttachment(reply: FastifyReply, file: Attachment): FastifyReply {
  if (!Buffer.isBuffer(file.bytes))
    file.bytes.once('error', (error) => {
      // A reader who went ends it, too.
      if (!reply.raw.destroyed) reply.log.warn({ err: error }, 'a file broke off on its way');
    });
  return reply
    .headers({
      'content-type': file.mimeType,
      ...(file.size === null ? {} : { 'content-length': `${file.size}` }),
      'content-disposition': `attachment; filename*=UTF-8''${encoded(safeFileName(file.name))}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    .send(file.bytes);
}
