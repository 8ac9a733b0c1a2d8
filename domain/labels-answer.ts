import { ANSWERS, formatCount, formatSizeProgress, plural } from './format.ts';

/** Where an answer is stored, in the glossary's terms. */
export type AnswerState =
  | 'none'
  | 'device'
  | 'sending'
  | 'server'
  | 'held'
  | 'late'
  | 'setAside'
  | 'unsaved'
  | 'locked';

const SHORT: Readonly<Record<AnswerState, string>> = {
  none: 'Без ответа',
  device: 'На устройстве',
  sending: 'Отправляется',
  server: 'На сервере',
  held: 'Ждёт решения преподавателя',
  late: 'Получено позже',
  setAside: 'Не принят',
  unsaved: 'Не сохранён',
  locked: 'Ответы закрыты для правки',
};

/** The state of an answer in lists and sheets. */
export function answerStateShort(state: AnswerState): string {
  return SHORT[state];
}

const AT_THE_ANSWER: Readonly<Record<AnswerState, string>> = {
  none: '',
  device: 'Сохранено на устройстве',
  sending: 'Отправляется',
  server: 'Сохранено на сервере',
  held: 'Ждёт решения преподавателя, сохранено на сервере',
  late: 'Получено позже',
  setAside: 'Сервер не принял этот ответ. Он сохранён на устройстве',
  unsaved: 'Не удалось сохранить на устройстве. Не уходите с вопроса, отправляем сразу',
  locked: 'Ответы закрыты для правки',
};

/** The status text beside the answer, without the time; empty if none is shown. */
export function answerStateLabel(state: AnswerState): string {
  return AT_THE_ANSWER[state];
}

/** The sent part of a file: «1,5 из 2,4 МБ». */
export interface UploadProgress {
  sentBytes: number;
  totalBytes: number;
}

/** «Отправляется, 1,5 из 2,4 МБ». */
export function sendingLabel(progress?: UploadProgress): string {
  if (!progress) return AT_THE_ANSWER.sending;
  return `${AT_THE_ANSWER.sending}, ${formatSizeProgress(progress.sentBytes, progress.totalBytes)}`;
}

/** The states of the header's indicator; `offline` has texts with and without waiting answers. */
export type SyncState =
  | 'delivered'
  | 'sending'
  | 'offline'
  | 'silent'
  | 'signedOut'
  | 'setAside'
  | 'unstorable'
  | 'secondTab'
  | 'takenOver';

export interface SyncLabels {
  /** On phones. */
  short: string;
  /** From 1024 px, and to screen readers. */
  long: string;
}

/** The indicator's texts for `count` answers that wait, are being sent or were set aside. */
export function syncLabels(state: SyncState, count: number): SyncLabels {
  const answers = formatCount(count, ANSWERS);
  switch (state) {
    case 'delivered':
      return { short: 'на сервере', long: 'все ответы на сервере' };
    case 'sending':
      return { short: `отправляем ${count}`, long: `отправляем ${answers}` };
    case 'offline':
      return count === 0
        ? { short: 'нет сети', long: 'нет сети' }
        : { short: `${count} на устройстве`, long: `нет сети, ${answers} на устройстве` };
    case 'silent':
      return count === 0
        ? { short: 'сервер не отвечает', long: 'сервер не отвечает' }
        : { short: `${count} на устройстве`, long: `сервер не отвечает, ${answers} на устройстве` };
    case 'signedOut':
      return {
        short: 'войдите снова',
        long: `войдите снова, ${answers} ${plural(count, ['ждёт', 'ждут', 'ждут'])}`,
      };
    case 'setAside': {
      const accepted = plural(count, ['не принят', 'не приняты', 'не приняты']);
      return { short: `${count} ${accepted}`, long: `${answers} ${accepted}` };
    }
    case 'unstorable':
      return { short: 'только по сети', long: 'ответы хранит только сервер' };
    case 'secondTab':
      return { short: 'открыт в другой вкладке', long: 'открыт в другой вкладке' };
    case 'takenOver':
      return { short: 'открыт на другом устройстве', long: 'открыт на другом устройстве' };
  }
}

/** The phase of an attempt: number 0, 1 or 2 on the wire, refined by what the device knows. */
export type AttemptStateName = 'idle' | 'run' | 'timeOver' | 'queued' | 'over' | 'review';

const WIRE_STATES = ['idle', 'run', 'over'] as const;

/** The phase of a reply's state number. */
export function attemptStateName(state: 0 | 1 | 2): AttemptStateName {
  return WIRE_STATES[state];
}

const ATTEMPT: Readonly<Record<AttemptStateName, string>> = {
  idle: 'Не начата',
  run: 'Идёт',
  timeOver: 'Время вышло',
  queued: 'Не закрывайте',
  over: 'Завершена',
  review: 'Ждёт решения преподавателя',
};

export function attemptStateLabel(state: AttemptStateName): string {
  return ATTEMPT[state];
}

/** The heading of the panel while a finish waits: «Не закрывайте: 2 ответа ещё на устройстве». */
export function keepOpenMessage(waiting: number): string {
  return waiting === 0
    ? 'Не закрывайте: завершение ещё на устройстве'
    : `Не закрывайте: ${formatCount(waiting, ANSWERS)} ещё на устройстве`;
}

export const MAY_CLOSE = 'Можно закрывать';
