/** What this device can promise before a test starts. */
export interface Readiness {
  isSecure: boolean;
  /** False: nothing survives a reload here. */
  isDurable: boolean;
  /** Whether the browser promised not to clean up by itself; null: it does not say. */
  isPersisted: boolean | null;
  /** Whether the app opens without a network. */
  isWorkerActive: boolean;
  isOnline: boolean;
}

export type ReadinessVerdict =
  | 'ready'
  | 'mayBeCleaned'
  | 'noWorkerYet'
  | 'insecure'
  | 'noStorage'
  | 'noNetwork';

/** The one thing worth saying: the gravest first. */
export function readinessVerdict(readiness: Readiness): ReadinessVerdict {
  if (!readiness.isOnline) return 'noNetwork';
  if (!readiness.isDurable) return 'noStorage';
  if (!readiness.isSecure) return 'insecure';
  if (!readiness.isWorkerActive) return 'noWorkerYet';
  return readiness.isPersisted === false ? 'mayBeCleaned' : 'ready';
}

const WORDS: Readonly<Record<ReadinessVerdict, string>> = {
  ready: 'Устройство готово: ответы есть где хранить, тест загрузится целиком при начале.',
  mayBeCleaned:
    'Устройство готово: ответы есть где хранить. Не очищайте данные браузера, пока ответы не на сервере.',
  noWorkerYet:
    'Ответы есть где хранить. Приложение ещё готовится к работе без сети: не закрывайте его во время теста.',
  insecure:
    'Соединение не защищено: без сети приложение не откроется. Ответы хранятся на устройстве; не закрывайте и не обновляйте страницу, если сеть пропала.',
  noStorage:
    'Это устройство не может хранить ответы: их хранит только сервер. Для теста нужна сеть до самого конца.',
  noNetwork: 'Сейчас нет сети. Чтобы начать, она нужна; дальше можно отвечать и без неё.',
};

export const readinessWords = (verdict: ReadinessVerdict): string => WORDS[verdict];

interface StorageAsk {
  persisted?: () => Promise<boolean>;
  persist?: () => Promise<boolean>;
}

/** Asks the browser to keep this site's data for good; null where it has no answer. */
export async function requestPersistence(storage: StorageAsk | undefined): Promise<boolean | null> {
  if (!storage?.persisted || !storage.persist) return null;
  try {
    return (await storage.persisted()) || (await storage.persist());
  } catch {
    return null;
  }
}
