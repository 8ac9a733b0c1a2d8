/** Why the teacher decides on a begin, for its student; kinds of a newer server have no words here. */
const HOLDS: ReadonlyMap<string, string> = new Map([
  ['proof', 'сервер не узнал загруженный тест'],
  ['replacedOffer', 'на сервере есть более новая версия этого теста'],
  ['unknownTime', 'часы устройства переводили, и время начала неизвестно'],
  ['beforeOffer', 'по часам устройства тест начат раньше, чем загружен'],
  ['beforeCode', 'тест начат раньше, чем был показан код'],
  ['beforeOpening', 'тест начат раньше, чем открылся'],
  ['afterEnd', 'тест начат после того, как закрылся'],
  ['noAttemptsLeft', 'попыток больше не оставалось'],
  ['otherAttempt', 'в это время шла другая ваша попытка'],
  ['testClosed', 'тест закрыт'],
  ['secondDevice', 'этот же тест начат на другом устройстве'],
]);

/** «Начало проверит преподаватель: тест закрыт.» */
export function holdMessage(hold: string | null): string {
  const why = HOLDS.get(hold ?? '');
  return `Начало проверит преподаватель${why === undefined ? '' : `: ${why}`}.`;
}

/** The server's messages have no stop at their end. */
export const withStop = (message: string): string =>
  /[.!?…]$/u.test(message) ? message : `${message}.`;
