import { codeOf, OperatorError } from '#server/db/operator-error.ts';
import { formatSize } from '#domain/format.ts';

/** The person stopped it by a signal. */
export class Stopped extends Error {}

/** Throws `Stopped` once the signal was given. */
export function goOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Stopped();
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

/** Words for a failure of writing a file, when it is one that a person can mend. */
export function writeTrouble(error: unknown, path: string): unknown {
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
