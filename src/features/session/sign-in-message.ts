import { ApiFailure } from '#app/api/failure.ts';

const UNREACHABLE = 'Сервер не отвечает. Проверьте сеть и повторите';

/** Message of a failed sign-in or registration as a whole. */
export function signInMessage(error: unknown): string {
  if (!(error instanceof ApiFailure)) return 'Unexpected error occurred';
  const isAnswered = error.kind !== 'unreachable' && error.kind !== 'notOurs';
  return isAnswered ? error.message : UNREACHABLE;
}
