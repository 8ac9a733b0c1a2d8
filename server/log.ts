import { type DestinationStream, type Logger, pino } from 'pino';

interface ErrorDescription {
  type: string;
  message: string;
  code?: unknown;
  constraint?: unknown;
  stack?: string;
  cause?: ErrorDescription;
}

const framesOf = (stack: string | undefined) =>
  (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

/**
 * An error for the log. Databases and schemas quote values in messages and fields: names, e-mails and answers
 * must not be logged.
 */
function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: '' };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message.replaceAll(/"[^"]*"/g, '"…"'),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    stack: framesOf(error.stack),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** The server's log: one JSON object a line. */
export function makeLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null, serializers: { err: describeError } }, destination);
}
