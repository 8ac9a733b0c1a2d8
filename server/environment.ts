import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { NewPassword } from '#contract/registration.ts';
import { isWebAddress } from '#contract/projects.ts';
import { isTimeZone } from '#domain/format-time.ts';
import { OperatorError } from './db/operator-error.ts';

/** An address, a network such as 10.0.0.0/8, or a name known to the `proxy-addr` package. */
const isProxy = (text: string) => {
  const [address = '', bits] = text.split('/');
  const isNetwork = isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
  return isNetwork || ['loopback', 'linklocal', 'uniquelocal'].includes(text);
};

const wholeNumber = (from: number, to: number, words: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, words),
    v.transform(Number),
    v.minValue(from, words),
    v.maxValue(to, words),
  );

const flag = v.pipe(
  v.string(),
  v.transform((text) => text.toLowerCase()),
  v.picklist(['1', 'true', '0', 'false'], '1 или 0'),
  v.transform((text) => text === '1' || text === 'true'),
);

const trustProxy = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((part) => part.trim())),
  v.check(
    (parts) => parts.length === 1 || parts.every(isProxy),
    'true, false или адреса прокси через запятую, например 10.0.0.0/8,loopback',
  ),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const [first = ''] = dataset.value;
    if (['1', 'true'].includes(first)) return true;
    if (['0', 'false'].includes(first)) return false;
    if (dataset.value.every(isProxy)) return dataset.value;
    addIssue({
      message: 'true, false или адреса прокси через запятую, например 10.0.0.0/8,loopback',
    });
    return NEVER;
  }),
);

const word = (pattern: RegExp, words: string) =>
  v.pipe(v.string(), v.trim(), v.regex(pattern, words));

const webAddress = (words: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check(isWebAddress, words),
    v.transform((address) => address.replace(/\/+$/, '')),
  );

const MAX_PROCESSES = 64;
/** One core is left to PostgreSQL and to the system. */
const usualProcesses = Math.min(MAX_PROCESSES, Math.max(1, availableParallelism() - 1));

const databaseHint = 'адрес вида postgresql://пользователь:пароль@сервер:5432/база';
const daysHint = 'число дней от 30 до 36500';
const logHint = 'fatal, error, warn, info, debug, trace или silent';

/** The server's environment variables. An empty value counts as absent. */
const Environment = v.object({
  PORT: v.optional(wholeNumber(0, 65_535, 'число от 1 до 65535'), '3000'),
  HOST: v.optional(v.string()),
  WEB_CONCURRENCY: v.optional(
    wholeNumber(1, MAX_PROCESSES, `число процессов от 1 до ${MAX_PROCESSES}`),
    String(usualProcesses),
  ),
  DATA_DIR: v.optional(v.string(), '.data/server'),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, databaseHint))),
  MIGRATIONS_DATABASE_URL: v.optional(
    v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, databaseHint)),
  ),
  ALLOW_FSYNC_OFF: v.optional(flag, '0'),
  PUBLIC_URL: v.optional(
    v.pipe(
      webAddress('адрес вида https://tests.school.ru'),
      v.check(
        (address) => new URL(address).pathname === '/' && !/[?#]/.test(address),
        'адрес без пути, вида https://tests.school.ru: сайт занимает имя целиком, дайте ему своё',
      ),
    ),
  ),
  TRUST_PROXY: v.optional(trustProxy, 'false'),
  TLS_CERT: v.optional(v.string()),
  TLS_KEY: v.optional(v.string()),
  SCHOOL_TIMEZONE: v.optional(
    v.pipe(v.string(), v.check(isTimeZone, 'часовой пояс, например Europe/Moscow или Asia/Omsk')),
    'Europe/Moscow',
  ),
  REGISTRATION: v.optional(v.picklist(['open', 'code', 'closed'], 'open, code или closed'), 'open'),
  SESSION_DAYS: v.optional(wholeNumber(1, 365, 'число дней от 1 до 365'), '7'),
  ADMIN_EMAIL: v.optional(v.pipe(v.string(), v.trim(), v.email('почта, например admin@school.ru'))),
  ADMIN_PASSWORD: v.optional(NewPassword),
  DEMO: v.optional(flag, '0'),
  DEMO_PASSWORDS: v.optional(v.picklist(['public'], 'public или ничего')),
  LAN: v.optional(flag, '0'),
  LOG_LEVEL: v.optional(
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], logHint),
    'warn',
  ),
  API_DOCS: v.optional(v.picklist(['admin', 'open'], 'admin или open'), 'admin'),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, 'слово не короче 16 знаков'))),
  BACKUP_DIR: v.optional(v.string()),
  DISK_RESERVE_MB: v.optional(wholeNumber(0, 999_999, 'число мегабайт от 0 до 999999'), '1024'),
  RETENTION_DAYS: v.optional(wholeNumber(30, 36_500, daysHint)),
  AUDIT_DAYS: v.optional(wholeNumber(30, 36_500, daysHint), '1095'),
  AI_BASE_URL: v.optional(webAddress('адрес вида https://api.provider.ru/v1')),
  AI_API_KEY: v.optional(word(/^[\x21-\x7e]+$/, 'ключ провайдера одним словом')),
  AI_MODEL: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'имя модели'))),
  AI_TIMEOUT_SECONDS: v.optional(wholeNumber(1, 600, 'число секунд от 1 до 600'), '120'),
  AI_REQUESTS_PER_DAY: v.optional(
    wholeNumber(1, 100_000, 'число запросов в день от 1 до 100000'),
    '100',
  ),
  S3_ENDPOINT: v.optional(webAddress('адрес вида https://storage.provider.ru')),
  S3_REGION: v.optional(word(/^[\w-]{1,60}$/, 'имя региона, например ru-central1'), 'us-east-1'),
  S3_BUCKET: v.optional(
    word(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'имя корзины: латиница, цифры, точка и дефис'),
  ),
  S3_ACCESS_KEY_ID: v.optional(word(/^[\x21-\x7e]+$/, 'ключ хранилища одним словом')),
  S3_SECRET_ACCESS_KEY: v.optional(word(/^[\x21-\x7e]+$/, 'секрет хранилища одним словом')),
  S3_PREFIX: v.optional(
    v.pipe(
      word(/^[\w-]+(\/[\w-]+)*\/?$/, 'папка в корзине, например school/files'),
      v.transform((prefix) => prefix.replace(/\/?$/, '/')),
    ),
  ),
});
/** Names of the known variables. */
export const VARIABLES: readonly string[] = Object.keys(Environment.entries);
export type Environment = Omit<v.InferOutput<typeof Environment>, 'HOST'> & { HOST: string };

/** The address of the role that owns the database; undefined: the embedded one. */
export const ownerUrl = (
  environment: Pick<Environment, 'DATABASE_URL' | 'MIGRATIONS_DATABASE_URL'>,
): string | undefined => environment.MIGRATIONS_DATABASE_URL ?? environment.DATABASE_URL;

const S3_TOGETHER = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/**
 * Reads the variables.
 * @throws {OperatorError} a Russian line for each wrong variable: its name and what is allowed
 */
export function readEnvironment(given: Readonly<Record<string, string | undefined>>): Environment {
  const filled = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const result = v.safeParse(Environment, filled, { abortPipeEarly: true });
  if (!result.success)
    throw new OperatorError(
      result.issues
        .map(
          (issue) =>
            `Переменная ${v.getDotPath(issue)} задана неверно. Допустимо: ${issue.message}.`,
        )
        .join('\n'),
    );
  const read = result.output;
  if ((read.TLS_CERT === undefined) !== (read.TLS_KEY === undefined))
    throw new OperatorError('Задайте TLS_CERT и TLS_KEY вместе: пути к сертификату и к его ключу.');
  if (read.LAN && read.TLS_CERT !== undefined)
    throw new OperatorError('LAN=1 делает сертификат сам: уберите TLS_CERT и TLS_KEY или LAN.');
  if ((read.AI_BASE_URL === undefined) !== (read.AI_MODEL === undefined))
    throw new OperatorError(
      'Задайте AI_BASE_URL и AI_MODEL вместе: адрес провайдера и имя модели. AI_API_KEY нужен, если его просит провайдер.',
    );
  if (read.AI_API_KEY !== undefined && read.AI_BASE_URL === undefined)
    throw new OperatorError('AI_API_KEY задан, а провайдер нет: задайте AI_BASE_URL и AI_MODEL.');
  if (read.MIGRATIONS_DATABASE_URL !== undefined && read.DATABASE_URL === undefined)
    throw new OperatorError(
      'MIGRATIONS_DATABASE_URL задан, а база нет: задайте DATABASE_URL, с ним работает сервер.',
    );
  const missing = S3_TOGETHER.filter((name) => read[name] === undefined);
  const isS3Wanted = missing.length < S3_TOGETHER.length || read.S3_PREFIX !== undefined;
  if (missing.length > 0 && isS3Wanted)
    throw new OperatorError(
      `Для хранилища файлов S3 задайте вместе ${S3_TOGETHER.join(', ')}. Не хватает: ${missing.join(', ')}.`,
    );
  return {
    ...read,
    HOST: read.LAN ? '0.0.0.0' : (read.HOST ?? '127.0.0.1'),
    DATA_DIR: resolve(read.DATA_DIR),
    ...(read.BACKUP_DIR !== undefined && { BACKUP_DIR: resolve(read.BACKUP_DIR) }),
  };
}
