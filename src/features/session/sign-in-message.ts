import { ApiFailure, isPortal, UNEXPECTED } from '#app/api/failure.ts';

const UNREACHABLE = 'Сервер не отвечает. Проверьте сеть и повторите';

/** Message of a failed sign-in or registration as a whole. */
export function signInMessage(error: unknown): string {
  if (!(error instanceof ApiFailure)) return `${UNEXPECTED}. Повторите ещё раз`;
  return error.kind === 'unreachable' || isPortal(error) ? UNREACHABLE : error.message;
}
