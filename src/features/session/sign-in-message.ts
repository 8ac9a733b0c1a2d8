import { ApiFailure, isPortal, UNKNOWN_FAILURE } from '#app/api/failure.ts';

const UNREACHABLE = 'Сервер не отвечает. Проверьте сеть и повторите';

/** Message of a failed sign-in or registration as a whole. */
export function signInMessage(error: unknown): string {
  if (!(error instanceof ApiFailure)) return UNKNOWN_FAILURE;
  return error.kind === 'unreachable' || isPortal(error) ? UNREACHABLE : error.message;
}
