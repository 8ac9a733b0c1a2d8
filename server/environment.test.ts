import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { OperatorError } from './db/operator-error.ts';
import { isLoopback, readEnvironment } from './environment.ts';

const messageFor = (given: Record<string, string>): string => {
  try {
    readEnvironment(given);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message;
  }
};

test('nothing set is a server for this machine', () => {
  expect(readEnvironment({ PORT: '', TLS_CERT: ' ' })).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    SCHOOL_TIMEZONE: 'Europe/Moscow',
    REGISTRATION: 'open',
    SESSION_DAYS: 7,
    TRUST_PROXY: false,
    DEMO: false,
    LAN: false,
  });
});

test('a core is left to the database, and there is at least one process', () => {
  const cores = availableParallelism();
  expect(readEnvironment({}).WEB_CONCURRENCY).toBe(Math.min(64, Math.max(1, cores - 1)));
  expect(readEnvironment({ WEB_CONCURRENCY: '3' }).WEB_CONCURRENCY).toBe(3);
});

test('a network start listens on every address', () => {
  expect(readEnvironment({ LAN: '1', HOST: '127.0.0.1' }).HOST).toBe('0.0.0.0');
});

test('proxies are named one by one or trusted whole', () => {
  const trusted = (text: string) => readEnvironment({ TRUST_PROXY: text }).TRUST_PROXY;
  expect(trusted('true')).toBe(true);
  expect(trusted('0')).toBe(false);
  expect(trusted('loopback, 10.0.0.0/8,fd00::1')).toEqual(['loopback', '10.0.0.0/8', 'fd00::1']);
});

test('the public address loses its slash', () => {
  expect(readEnvironment({ PUBLIC_URL: 'https://tests.school.ru/' }).PUBLIC_URL).toBe(
    'https://tests.school.ru',
  );
});

test.each([
  ['PORT', '70000', 'от 1 до 65535'],
  ['PORT', 'http', 'от 1 до 65535'],
  ['WEB_CONCURRENCY', '0', 'от 1 до 64'],
  ['WEB_CONCURRENCY', '65', 'от 1 до 64'],
  ['WEB_CONCURRENCY', 'auto', 'от 1 до 64'],
  ['DATABASE_URL', 'mysql://x', 'postgresql://'],
  ['PUBLIC_URL', 'tests.school.ru', 'https://'],
  ['PUBLIC_URL', 'https://school.ru/tests', 'без пути'],
  ['PUBLIC_URL', 'https://school.ru/?site=tests', 'без пути'],
  ['TRUST_PROXY', 'maybe', '10.0.0.0/8'],
  ['TRUST_PROXY', '10.0.0.1,nobody', '10.0.0.0/8'],
  ['SCHOOL_TIMEZONE', 'Москва', 'Europe/Moscow'],
  ['REGISTRATION', 'yes', 'open, code или closed'],
  ['SESSION_DAYS', '0', 'от 1 до 365'],
  ['ADMIN_EMAIL', 'admin', 'admin@school.ru'],
  ['ADMIN_PASSWORD', 'short', 'не менее 6 символов'],
  ['DEMO', 'да', '1 или 0'],
  ['LAN', '2', '1 или 0'],
  ['DEMO_PASSWORDS', 'open', 'public'],
  ['LOG_LEVEL', 'loud', 'info'],
  ['RETENTION_DAYS', '7', 'от 30 до 36500'],
  ['AUDIT_DAYS', 'год', 'от 30 до 36500'],
  ['METRICS_TOKEN', 'short', '16'],
  ['AI_BASE_URL', 'api.provider.ru', 'https://'],
  ['AI_API_KEY', 'two words', 'одним словом'],
  ['AI_TIMEOUT_SECONDS', '0', 'от 1 до 600'],
  ['AI_REQUESTS_PER_DAY', '0', 'от 1 до 100000'],
  ['S3_ENDPOINT', 'storage.provider.ru', 'https://'],
  ['S3_BUCKET', 'Школа', 'имя корзины'],
  ['S3_SECRET_ACCESS_KEY', 'two words', 'одним словом'],
  ['S3_PREFIX', '../files', 'папка в корзине'],
])('a wrong %s (%s) is reported with its name and what is allowed', (name, value, allowed) => {
  const words = messageFor({ [name]: value });
  expect(words).toContain(`Переменная ${name} `);
  expect(words).toContain(allowed);
  expect(words).toMatch(/[а-я]/);
});

test('all wrong variables are reported at once', () => {
  expect(messageFor({ PORT: 'x', LAN: 'x' }).split('\n')).toHaveLength(2);
});

test('a provider of drafts is an address and a model; a key where it requires one', () => {
  const address = { AI_BASE_URL: 'http://127.0.0.1:11434/v1/', AI_MODEL: 'local' };
  expect(readEnvironment(address)).toMatchObject({
    AI_BASE_URL: 'http://127.0.0.1:11434/v1',
    AI_MODEL: 'local',
    AI_TIMEOUT_SECONDS: 120,
  });
  expect(messageFor({ AI_MODEL: 'local' })).toContain('AI_BASE_URL');
  expect(messageFor({ AI_BASE_URL: 'https://api.provider.ru/v1' })).toContain('AI_MODEL');
  const words = messageFor({ AI_API_KEY: 'sk-canary' });
  expect(words).toContain('AI_BASE_URL');
  expect(words).not.toContain('canary');
});

test('a file store is configured completely or not at all', () => {
  const whole = {
    S3_ENDPOINT: 'http://127.0.0.1:9000/',
    S3_BUCKET: 'school',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret-canary',
  };
  expect(readEnvironment({ ...whole, S3_PREFIX: 'exam/files' })).toMatchObject({
    ...whole,
    S3_ENDPOINT: 'http://127.0.0.1:9000',
    S3_REGION: 'us-east-1',
    S3_PREFIX: 'exam/files/',
  });
  expect(readEnvironment({}).S3_PREFIX).toBeUndefined();
  for (const name of Object.keys(whole)) {
    const words = messageFor({ ...whole, [name]: undefined });
    expect(words).toContain(`Не хватает: ${name}`);
    expect(words).not.toContain('canary');
  }
  expect(messageFor({ S3_PREFIX: 'files' })).toContain('S3_BUCKET');
});

test('a certificate without its key is refused', () => {
  expect(messageFor({ TLS_CERT: '/x.pem' })).toContain('TLS_KEY');
});

test.each([
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['192.168.1.7', false],
  ['127.0.0.1.example.org', false],
])('%s is this machine alone: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
