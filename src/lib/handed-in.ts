import { describeFailure, isNotFound } from './failure-messages.ts';
import { fetchFile } from './files.ts';

/** Ten megabytes over a school's network take longer than the default timeout. */
const TIMEOUT_MS = 60_000;

/** A handed-in file by its opaque key. Throws `ApiFailure`. */
export const fetchHandedIn = (key: string): Promise<Blob> =>
  fetchFile(key, { timeoutMs: TIMEOUT_MS });

/** Why a handed-in file cannot be shown or saved. */
export const describeFileFailure = (error: unknown): string =>
  isNotFound(error)
    ? 'Файл не дошёл до сервера целиком: есть только его имя и размер.'
    : describeFailure(error);
