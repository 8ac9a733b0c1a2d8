import { codeOf, OperatorError } from '#server/db/operator-error.ts';
import { formatSize } from '#domain/format.ts';

/** Stopped by a signal from the person at the terminal. */
export class StoppedError extends Error {}

/** Throws `StoppedError` once the signal was given. */
export function goOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new StoppedError();
}

export const damaged = (path: string, why: string, cause?: unknown): OperatorError =>
  new OperatorError(
    `Файл ${path} повреждён: ${why}. Ничего не изменено. Возьмите другую резервную копию или скопируйте эту ещё раз.`,
    { cause },
  );

export const noRoom = (folder: string, needs: number, free: number): OperatorError =>
  new OperatorError(
    `На диске с папкой ${folder} мало места: нужно около ${formatSize(needs)}, свободно ${formatSize(free)}. Освободите место или укажите другой диск: npm run backup -- /путь/к/папке. Копия не создана.`,
  );

/** The operator's message for a failed write, when the operator can fix it. */
export function asWriteError(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new OperatorError(
        `Место для файла ${path} кончилось. Освободите его или укажите другой диск. Недописанное убрано.`,
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new OperatorError(
        `В ${path} нельзя писать. Дайте пользователю, от которого запущена команда, право на эту папку или укажите другую.`,
        { cause: error },
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return new OperatorError(`Папки для файла ${path} нет. Создайте её или укажите другую.`, {
        cause: error,
      });
    default:
      return error;
  }
}
