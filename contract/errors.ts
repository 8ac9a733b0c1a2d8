import * as v from 'valibot';
import { LAST_ADMIN_MESSAGE, OWN_ACCOUNT_MESSAGE } from './account-messages.ts';

/** The one error shape. `message` is Russian and says what to do; `details` depends on the code. */
export const ErrorBody = v.object({
  code: v.string(),
  message: v.string(),
  details: v.optional(v.unknown()),
  requestId: v.string(),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;

interface ErrorDefinition {
  readonly status: number;
  readonly message: string;
}

/** Every error code of the server: its HTTP status and its default message. */
export const ERRORS = {
  BAD_REQUEST: {
    status: 400,
    message: 'Запрос не удалось разобрать. Обновите страницу и повторите',
  },
  VALIDATION: { status: 400, message: 'Проверьте поля: некоторые заполнены неверно' },
  UNAUTHORIZED: { status: 401, message: 'Войдите, чтобы продолжить' },
  BAD_CREDENTIALS: { status: 401, message: 'Почта или пароль не подошли' },
  ACCOUNT_BLOCKED: {
    status: 401,
    message: 'Учётная запись заблокирована. Обратитесь к администратору школы',
  },
  FORBIDDEN: { status: 403, message: 'Для этого действия не хватает прав' },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: 'Пароль подошёл. Остался второй шаг: обновите страницу и войдите снова',
  },
  SECOND_FACTOR_SETUP_REQUIRED: {
    status: 403,
    message: 'Сначала включите вход в два шага на странице «Профиль»: этого требует школа',
  },
  CONFIRMATION_REQUIRED: {
    status: 403,
    message: 'Ничего не изменено: сначала подтвердите, что это вы. Повторите действие',
  },
  REGISTRATION_CLOSED: { status: 403, message: 'Регистрация закрыта. Учётную запись выдаёт школа' },
  NOT_FOUND: { status: 404, message: 'Не найдено. Возможно, ссылка устарела' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Такой запрос здесь не поддерживается' },
  EMAIL_TAKEN: {
    status: 409,
    message: 'Эта почта уже зарегистрирована. Войдите или укажите другую',
  },
  RUNNING_ELSEWHERE: { status: 409, message: 'Тест уже идёт на другом устройстве' },
  NO_ATTEMPTS_LEFT: { status: 409, message: 'Попыток больше не осталось' },
  NOT_OPEN_YET: { status: 409, message: 'Тест ещё не открыт' },
  TEST_CLOSED: { status: 409, message: 'Тест закрыт' },
  TEST_EMPTY: { status: 409, message: 'В тесте пока нет вопросов' },
  ATTEMPT_NOT_RUNNING: { status: 409, message: 'Эта попытка уже не идёт' },
  ATTEMPT_RUNNING: {
    status: 409,
    message: 'Пока идёт ваш тест, имя не изменить. Завершите тест и попробуйте снова',
  },
  NEXT_ATTEMPT_EXISTS: {
    status: 409,
    message: 'Следующая попытка уже начата: время прежней не продлить',
  },
  INCOMPLETE: { status: 409, message: 'До сервера дошли ещё не все ответы' },
  DEADLINE_MOVED: { status: 409, message: 'Время теста продлено' },
  CHUNK_OUT_OF_PLACE: { status: 409, message: 'Часть файла пришла не по порядку' },
  STALE_VERSION: {
    status: 409,
    message: 'Тест тем временем изменили в другом месте. Ваши правки не записаны и не потеряны',
  },
  TEST_HAS_ATTEMPTS: {
    status: 409,
    message: 'По тесту уже есть попытки: черновиком он больше не станет',
  },
  TEST_NOT_READY: { status: 409, message: 'Публиковать рано: сначала исправьте замечания' },
  TOO_MANY_TEMPLATES: {
    status: 409,
    message: 'Шаблонов слишком много. Удалите ненужные и повторите',
  },
  AI_NOT_CONFIGURED: {
    status: 409,
    message: 'ИИ на этом сервере не настроен. Составьте вопросы вручную или подбором',
  },
  ANSWER_CHANGED: {
    status: 409,
    message: 'Пока вы проверяли, от ученика дошёл другой ответ. Посмотрите его и оцените снова',
  },
  KEY_ONLY: {
    status: 422,
    message: 'Здесь меняется только ключ: текст, варианты и баллы остаются какими были',
  },
  ALREADY_MEMBER: { status: 409, message: 'Вы уже в этом классе' },
  WRONG_JOIN_CODE: {
    status: 422,
    message: 'Класса с таким кодом нет. Проверьте код или спросите его у преподавателя',
  },
  GROUP_FULL: { status: 409, message: 'В классе больше нет места' },
  PASSWORD_NOT_YOURS: {
    status: 403,
    message: 'Пароль этого ученика сбросит администратор: учётную запись заводили не в этом классе',
  },
  LAST_ADMIN: {
    status: 409,
    message: LAST_ADMIN_MESSAGE,
  },
  OWN_ACCOUNT: {
    status: 409,
    message: OWN_ACCOUNT_MESSAGE,
  },
  TOO_MANY_PROJECTS: {
    status: 409,
    message: 'Проектов слишком много. Удалите ненужные и повторите',
  },
  FACTOR_STEP_OVER: {
    status: 409,
    message: 'Время на этот шаг вышло. Начните его заново',
  },
  LAST_FACTOR: {
    status: 409,
    message: 'Школа требует вход в два шага. Сначала добавьте другой способ, потом удалите этот',
  },
  NO_FACTOR: {
    status: 409,
    message: 'Вход в два шага ещё не включён. Добавьте приложение с кодами или ключ входа',
  },
  TOO_MANY_PASSKEYS: {
    status: 409,
    message: 'Ключей входа слишком много. Удалите ненужные и повторите',
  },
  OWN_PROJECT: {
    status: 409,
    message: 'Свой проект оценивают другие. Эта оценка не записана',
  },
  GONE: { status: 410, message: 'Попытка удалена преподавателем' },
  TOO_LARGE: { status: 413, message: 'Слишком большой объём данных' },
  UNSUPPORTED_TYPE: { status: 415, message: 'Такой тип данных здесь не принимается' },
  SEQUENCE_TAKEN: { status: 422, message: 'Этот порядковый номер уже занят другим ответом' },
  OPERATION_REUSED: { status: 422, message: 'Под этим номером операции уже сохранён другой ответ' },
  INVALID_ANSWER: { status: 422, message: 'Ответ не подходит к вопросу' },
  UNKNOWN_QUESTION: { status: 422, message: 'Такого вопроса в этой попытке нет' },
  CHECKSUM_MISMATCH: { status: 422, message: 'Файл дошёл повреждённым. Он отправляется заново' },
  TOO_MANY_ANSWERS: {
    status: 422,
    message:
      'В этой попытке слишком много версий ответов, новые не принимаются. Сохранённое раньше цело. Завершите тест или позовите преподавателя',
  },
  TOO_MANY_FILES: {
    status: 422,
    message:
      'Файлов слишком много, этот не принят. Отправленные раньше целы. Позовите преподавателя',
  },
  FILE_REFUSED: { status: 422, message: 'Такой файл принять нельзя' },
  OLD_CLIENT: {
    status: 426,
    message: 'Приложение устарело. Обновите его: ответы на устройстве сохранятся',
  },
  WRONG_FACTOR: { status: 422, message: 'Не подошло. Проверьте и попробуйте ещё раз' },
  WRONG_PASSWORD: { status: 422, message: 'Нынешний пароль не подошёл' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Слишком много запросов. Подождите немного' },
  TOO_MANY_LOGINS: {
    status: 429,
    message: 'Слишком много неудачных попыток входа. Попробуйте позже',
  },
  INTERNAL: { status: 500, message: 'На сервере произошла ошибка. Попробуйте ещё раз' },
  STORAGE_FULL: {
    status: 503,
    message: 'На сервере закончилось место: файл не сохранён. Сообщите администратору школы',
  },
  UNAVAILABLE: { status: 503, message: 'Сервер временно недоступен. Попробуйте ещё раз' },
} as const satisfies Record<string, ErrorDefinition>;
export type ErrorCode = keyof typeof ERRORS;

/** Codes any call can answer with, besides those the route names. */
export const COMMON_ERRORS = [
  'BAD_REQUEST',
  'VALIDATION',
  'TOO_LARGE',
  'UNSUPPORTED_TYPE',
  'OLD_CLIENT',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** One invalid field: where, and what to do. */
const FieldProblem = v.object({ field: v.string(), message: v.string() });
export const ValidationDetails = v.object({ fields: v.array(FieldProblem) });

export const IncompleteDetails = v.object({
  missing: v.array(v.number()),
  files: v.array(v.string()),
});
export const DeadlineMovedDetails = v.object({ deadline: v.string() });
export const RunningElsewhereDetails = v.object({
  userTestId: v.string(),
  lastHeardAt: v.nullable(v.string()),
});
export const ChunkDetails = v.object({ received: v.number() });

export const StaleVersionDetails = v.object({
  version: v.number(),
  updatedAt: v.string(),
  updatedBy: v.nullable(v.string()),
});
/** Why a test cannot be published; `questionId` null: the test as a whole. */
export const NotReadyDetails = v.object({
  problems: v.array(v.object({ questionId: v.nullable(v.string()), message: v.string() })),
});
