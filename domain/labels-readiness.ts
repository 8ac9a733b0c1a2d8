import type { ReadinessProblem } from '#contract/readiness.ts';

/** Why a device is not ready, for the teacher: after the student's name. */
export const READINESS_LABELS: Readonly<Record<ReadinessProblem, string>> = {
  insecure: 'сайт открыт по адресу без https',
  noWasm: 'браузер слишком старый',
  noStorage: 'браузер не хранит данные сайта',
  noKey: 'нужно выйти и войти снова',
  damaged: 'загруженный тест не читается',
  notFetched: 'тест не загружен',
  offerUnchecked: 'тест давно не сверялся с сервером',
  noWorker: 'приложение ещё не открывается без сети',
  lowSpace: 'на устройстве мало места',
  notPersisted: 'браузер может удалить данные сайта',
  noClock: 'время сервера неизвестно',
  unsentAnswers: 'есть неотправленные ответы',
  updateWaiting: 'приложение не обновлено',
  signInEnds: 'вход закончится до теста',
};
