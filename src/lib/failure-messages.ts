import { ApiFailure, isPortal, UNKNOWN_FAILURE } from '#app/api/failure.ts';

/** Browsers and libraries write their messages in English. */
const OURS = /\p{Script=Cyrillic}/u;

/** Message about a failed call: what happened and what to do. */
export function describeFailure(error: unknown): string {
  if (error instanceof ApiFailure) {
    if (error.kind === 'unreachable') return 'Сервер не отвечает. Проверьте сеть и повторите.';
    if (isPortal(error)) {
      return 'Вместо сервера ответил кто-то другой. Возможно, сеть просит войти: откройте любой сайт и вернитесь.';
    }
  }
  return error instanceof Error && OURS.test(error.message) ? error.message : UNKNOWN_FAILURE;
}

/** Whether the server replied 404. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiFailure && error.kind === 'refused' && error.status === 404;
