import { userInfo } from 'node:os';

/** An error for the operator: its message is printed as it is, without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The `code` of a system or PostgreSQL error (`ENOENT`, `57P03`), if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Name of the account node runs under; a number where the system knows no name (containers). */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

/**
 * Turns a file system error at `path` into a message that says what to do. Errors that are not about access,
 * space or the kind of file are returned unchanged.
 */
export function asFileError(error: unknown, path: string): unknown {
  if (error instanceof OperatorError) return error;
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
      return new OperatorError(
        `Папка ${path} недоступна пользователю ${currentUser()}. Дайте ему право читать её и писать в неё (chown или chmod) или укажите другую папку в DATA_DIR.`,
        { cause: error },
      );
    case 'EROFS':
      return new OperatorError(
        `Папка ${path} лежит на диске, открытом только для чтения. Укажите другую папку в DATA_DIR.`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new OperatorError(
        `На диске с папкой ${path} кончилось место. Освободите его и запустите ещё раз или укажите другую папку в DATA_DIR.`,
        { cause: error },
      );
    case 'EEXIST':
    case 'ENOTDIR':
      return new OperatorError(
        `На пути ${path} стоит файл, а нужна папка. Уберите его или укажите другую папку в DATA_DIR.`,
        { cause: error },
      );
    case 'ENAMETOOLONG':
      return new OperatorError(
        `Путь ${path} слишком длинный. Укажите папку с коротким путём в DATA_DIR.`,
        {
          cause: error,
        },
      );
    default:
      return error;
  }
}
