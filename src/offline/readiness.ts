/** Capabilities of this device before a test starts. */
export interface Readiness {
  isSecure: boolean;
  /** False: nothing survives a reload. */
  isDurable: boolean;
  /** Whether storage is persistent; null: unknown to the browser; absent: not requested yet. */
  isPersisted?: boolean | null;
  /** Whether the browser may send while the app is closed. */
  hasBackgroundSync: boolean;
  /** Whether the app can start offline. */
  isWorkerActive: boolean;
  isOnline: boolean;
}

export type ReadinessVerdict = 'ready' | 'noWorkerYet' | 'insecure' | 'noStorage' | 'noNetwork';

/** The most severe problem. */
export function readinessVerdict(readiness: Readiness): ReadinessVerdict {
  if (!readiness.isOnline) return 'noNetwork';
  if (!readiness.isDurable) return 'noStorage';
  if (!readiness.isSecure) return 'insecure';
  if (!readiness.isWorkerActive) return 'noWorkerYet';
  return 'ready';
}

const MESSAGES: Readonly<Record<ReadinessVerdict, string>> = {
  ready: 'Устройство готово: ответы есть где хранить, тест загрузится целиком при начале.',
  noWorkerYet:
    'Ответы есть где хранить. Приложение ещё готовится к работе без сети: не закрывайте его во время теста.',
  insecure:
    'Соединение не защищено: без сети приложение не откроется. Ответы хранятся на устройстве; не закрывайте и не обновляйте страницу, если сеть пропала.',
  noStorage:
    'Это устройство не может хранить ответы: их хранит только сервер. Для теста нужна сеть до самого конца.',
  noNetwork: 'Сейчас нет сети. Чтобы начать, она нужна; дальше можно отвечать и без неё.',
};

const DO_NOT_CLEAN = 'не очищайте его данные, пока они не на сервере.';

/** Notes about missing capabilities; available ones are not mentioned. */
function missingCapabilities({ isPersisted, hasBackgroundSync }: Readiness): string[] {
  return [
    ...(isPersisted === false ? [`Браузер не обещал хранить ответы долго: ${DO_NOT_CLEAN}`] : []),
    ...(isPersisted === null
      ? [`Браузер не говорит, долго ли хранит ответы: ${DO_NOT_CLEAN}`]
      : []),
    ...(hasBackgroundSync ? [] : ['На сервер ответы уходят, только пока приложение открыто.']),
  ];
}

/** Whether the message names no problem. */
export const isWhollyReady = (readiness: Readiness): boolean =>
  readinessVerdict(readiness) === 'ready' && missingCapabilities(readiness).length === 0;

/** The message under the facts of a test. */
export function readinessMessage(readiness: Readiness): string {
  const verdict = readinessVerdict(readiness);
  return [MESSAGES[verdict], ...(verdict === 'ready' ? missingCapabilities(readiness) : [])].join(
    ' ',
  );
}

interface PersistentStorage {
  persisted?: () => Promise<boolean>;
  persist?: () => Promise<boolean>;
}

/** Requests persistent storage; null if the browser does not support it. */
export async function requestPersistence(
  storage: PersistentStorage | undefined,
): Promise<boolean | null> {
  if (!storage?.persisted || !storage.persist) return null;
  try {
    return (await storage.persisted()) || (await storage.persist());
  } catch {
    return null;
  }
}
