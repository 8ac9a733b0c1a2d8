import type { AiFailure } from '#contract/ai.ts';

/** Why a provider stopped, as a message for the teacher. Includes no text of the provider. */
export class ProviderFailure extends Error {
  readonly failure: AiFailure;
  readonly retryAfterSeconds: number | null;
  /** HTTP status of the provider, where there was one. */
  readonly status: number | null;

  constructor(
    failure: AiFailure,
    message: string,
    more: { retryAfterSeconds?: number | null; status?: number | null } = {},
  ) {
    super(message);
    this.name = 'ProviderFailure';
    this.failure = failure;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.status = more.status ?? null;
  }
}

/** The parts of a failed call that explain it; everything else may quote the key. */
export interface FailureFacts {
  /** Undefined: no reply, or the reply broke off. */
  readonly status: number | undefined;
  /** The provider's own code and type. */
  readonly code: string;
  /** The provider's message, only to classify it. */
  readonly said: string;
  readonly retryAfter: string | null;
}

const DAY_S = 86_400;

/** Seconds of a Retry-After header: a number or a date; null: none or invalid. */
function waitOf(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = /^\d+(\.\d+)?$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.min(DAY_S, Math.max(1, Math.ceil(seconds))) : null;
}

const TOO_LONG =
  /context.?length|context window|maximum context|too many tokens|prompt is too long|too large/i;
const REFUSED = /content.?(policy|filter|management)|safety|moderation|responsible.?ai/i;
const NO_MONEY = /insufficient.?(quota|funds|balance)|billing|credit/i;

export const REFUSED_MESSAGE =
  'Провайдер отказался писать об этом. Измените тему, пожелания или текст и повторите';
const TOO_LONG_MESSAGE =
  'Текст для этой модели слишком длинный. Сократите его или разделите на части и повторите';
export const UNREACHABLE_MESSAGE =
  'До провайдера не достучаться. Повторите через минуту; если не поможет, скажите администратору сервера';

/** Classifies a failed call. `now` is in milliseconds. */
export function failureOf(
  { status, code, said, retryAfter }: FailureFacts,
  now: number,
): ProviderFailure {
  const statusDetails = { status: status ?? null };
  const errorText = `${code} ${said}`;
  if (status === 401 || status === 403) {
    return new ProviderFailure(
      'unauthorized',
      'Провайдер не принял ключ этого сервера. Поправит администратор сервера: переменная AI_API_KEY',
      statusDetails,
    );
  }
  if (status === 402 || (NO_MONEY.test(errorText) && status !== 400)) {
    return new ProviderFailure(
      'rateLimited',
      'У провайдера кончились средства или квота этого сервера. Скажите администратору сервера',
      statusDetails,
    );
  }
  if (status === 429 || /rate.?limit/i.test(code)) {
    const retryAfterSeconds = waitOf(retryAfter, now);
    return new ProviderFailure(
      'rateLimited',
      retryAfterSeconds === null
        ? 'Провайдер просит подождать: запросов слишком много. Повторите через минуту'
        : `Провайдер просит подождать ${retryAfterSeconds} с: запросов слишком много`,
      { ...statusDetails, retryAfterSeconds },
    );
  }
  if (status === 413 || TOO_LONG.test(errorText)) {
    return new ProviderFailure('tooLong', TOO_LONG_MESSAGE, statusDetails);
  }
  if (REFUSED.test(errorText))
    return new ProviderFailure('refused', REFUSED_MESSAGE, statusDetails);
  if (status === undefined) {
    return new ProviderFailure(
      'unreachable',
      code === '' && said === ''
        ? UNREACHABLE_MESSAGE
        : 'Провайдер прервал ответ из-за своей ошибки. Повторите через минуту',
      statusDetails,
    );
  }
  if (status >= 500) {
    return new ProviderFailure(
      'unreachable',
      `У провайдера ошибка (${status}). Повторите через минуту`,
      { ...statusDetails, retryAfterSeconds: waitOf(retryAfter, now) },
    );
  }
  return new ProviderFailure(
    'badReply',
    `Провайдер не понял запроса (${status}). Поправит администратор сервера: переменные AI_BASE_URL и AI_MODEL`,
    statusDetails,
  );
}
