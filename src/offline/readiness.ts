/** What this device can promise before a test starts. */
export interface Readiness {
  isSecure: boolean;
  /** False: nothing survives a reload here. */
  isDurable: boolean;
  /** Whether the browser promised not to clean up by itself; null: it does not say; absent: not asked yet. */
  isPersisted?: boolean | null;
  /** Whether the browser may send while the app is closed. */
  hasBackgroundSync: boolean;
  /** Whether the app opens without a network. */
  isWorkerActive: boolean;
  isOnline: boolean;
}

export type ReadinessVerdict = 'ready' | 'noWorkerYet' | 'insecure' | 'noStorage' | 'noNetwork';

/** The one thing worth saying: the gravest first. */
export function readinessVerdict(readiness: Readiness): ReadinessVerdict {
  if (!readiness.isOnline) return 'noNetwork';
  if (!readiness.isDurable) return 'noStorage';
  if (!readiness.isSecure) return 'insecure';
  if (!readiness.isWorkerActive) return 'noWorkerYet';
  return 'ready';
}

const WORDS: Readonly<Record<ReadinessVerdict, string>> = {
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

/** What the browser refused or cannot do. What it does as it should is not worth a word. */
function lacks({ isPersisted, hasBackgroundSync }: Readiness): string[] {
  return [
    ...(isPersisted === false ? [`Браузер не обещал хранить ответы долго: ${DO_NOT_CLEAN}`] : []),
    ...(isPersisted === null
      ? [`Браузер не говорит, долго ли хранит ответы: ${DO_NOT_CLEAN}`]
      : []),
    ...(hasBackgroundSync ? [] : ['На сервер ответы уходят, только пока приложение открыто.']),
  ];
}

/** The line under the facts of a test. */
export function readinessWords(readiness: Readiness): string {
  const verdict = readinessVerdict(readiness);
  return [WORDS[verdict], ...(verdict === 'ready' ? lacks(readiness) : [])].join(' ');
}

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
