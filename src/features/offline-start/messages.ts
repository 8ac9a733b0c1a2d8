import type { ReadinessProblem } from '#contract/readiness.ts';
import type { BeginOutcome } from '#app/offers/begin-offline.ts';
import type { CheckName } from '#app/offers/readiness.ts';

/** Why the device is not ready for a test without a network, and what to do. */
const PROBLEMS: Readonly<Record<ReadinessProblem, string>> = {
  notFetched:
    'Этот тест ещё не загружен для начала без сети. Он загрузится сам, когда будет сеть: откройте эту страницу при сети заранее.',
  damaged:
    'Загруженный тест не читается, и начать его нельзя. Он загрузится заново, когда появится сеть.',
  noKey:
    'На этом устройстве нет вашего ключа, поэтому начать без сети нельзя. Выйдите и войдите снова, пока есть сеть.',
  noStorage:
    'Браузер не хранит данные этого сайта, поэтому начать без сети нельзя. Освободите место или откройте сайт не в частном окне.',
  insecure: 'Соединение не защищено, поэтому начать без сети здесь нельзя.',
  noWasm:
    'Этот браузер не умеет того, что нужно для начала без сети. Откройте сайт в другом браузере, пока есть сеть.',
  offerUnchecked:
    'Тест загружен больше суток назад, и с тех пор его могли изменить. Откройте эту страницу, когда будет сеть.',
  noWorker:
    'Приложение пока не откроется без сети. Подождите минуту, пока есть сеть, и обновите страницу.',
  lowSpace: 'На устройстве мало места. Удалите лишние фото, видео или приложения.',
  notPersisted:
    'Браузер не обещал хранить данные долго. До конца теста не очищайте их. Надёжнее, если добавить приложение на экран устройства.',
  noClock: 'Устройство ещё не знает времени сервера. Откройте эту страницу, когда будет сеть.',
  unsentAnswers:
    'На устройстве есть ответы, которые ещё не на сервере. Подключитесь к сети и подождите, пока они уйдут.',
  updateWaiting: 'Есть новая версия приложения. Обновите его сейчас, пока есть сеть.',
  signInEnds:
    'Вход на этом устройстве закончится раньше теста. Накануне, пока есть сеть, выйдите и войдите снова.',
};

export const readinessMessage = (problem: ReadinessProblem): string => PROBLEMS[problem];

/** What is all right, by check. */
export const CHECK_LABELS: Readonly<Record<CheckName, string>> = {
  browser: 'Браузер подходит',
  storage: 'Ответы есть где хранить',
  space: 'Места на устройстве хватает',
  persistence: 'Браузер обещал хранить данные',
  worker: 'Приложение откроется без сети',
  offer: 'Тест загружен и откроется по коду',
  fresh: 'Тест сверен с сервером за последние сутки',
  clock: 'Время сервера известно',
  unsent: 'Все прежние ответы на сервере',
  version: 'Приложение обновлено',
  signIn: 'Вход не закончится раньше теста',
};

/** The message at the code's field. */
export function refusalMessage(outcome: Exclude<BeginOutcome, { kind: 'begun' }>): string {
  switch (outcome.kind) {
    case 'wrongCode':
      return `Код не подошёл. Проверьте его и попробуйте ещё раз через ${outcome.seconds} с`;
    case 'tooEarly':
      return `Подождите ещё ${outcome.seconds} с и попробуйте снова`;
    case 'notStored':
      return 'Устройство не записало начало теста: время не пошло. Освободите место и попробуйте ещё раз';
    default:
      return readinessMessage(outcome.kind);
  }
}
