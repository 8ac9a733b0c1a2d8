import type { OfferProblem } from '#app/offers/offer-state.ts';
import type { BeginOutcome } from '#app/offers/begin-offline.ts';

/** Why a test cannot begin here without a network, and what to do. */
const PROBLEMS: Readonly<Record<OfferProblem, string>> = {
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
};

export const problemMessage = (problem: OfferProblem): string => PROBLEMS[problem];

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
      return problemMessage(outcome.kind);
  }
}
