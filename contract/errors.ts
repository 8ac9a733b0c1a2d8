import * as v from 'valibot';

/** The one error shape. `message` is Russian and gives advice; `details` depends on the code. */
export const ErrorBody = v.object({
  code: v.string(),
  message: v.string(),
  details: v.optional(v.unknown()),
  requestId: v.string(),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;

/** The codes of errors, each with its status and message. A bundle that uses none leaves them out. */
/* @__NO_SIDE_EFFECTS__ */
function createErrors<const M extends Record<number, Record<string, string>>>(byStatus: M) {
  const errors = Object.entries(byStatus).flatMap(([status, messages]) =>
    Object.entries(messages).map(([code, message]) => [code, { status: Number(status), message }]),
  );
  return Object.fromEntries(errors) as Readonly<
    Record<{ [S in keyof M]: keyof M[S] }[keyof M], { status: number; message: string }>
  >;
}

/** Every error code of the server with its default message, by HTTP status. */
export const ERRORS = createErrors({
  400: {
    BAD_REQUEST: 'Запрос не удалось разобрать. Обновите страницу и повторите',
    VALIDATION: 'Проверьте поля: некоторые заполнены неверно',
  },
  401: {
    UNAUTHORIZED: 'Войдите, чтобы продолжить',
    BAD_CREDENTIALS: 'Почта или пароль не подошли',
    ACCOUNT_BLOCKED: 'Учётная запись заблокирована. Обратитесь к администратору школы',
  },
  403: {
    FORBIDDEN: 'Для этого действия не хватает прав',
    SECOND_FACTOR_REQUIRED: 'Пароль подошёл. Остался второй шаг: обновите страницу и войдите снова',
    SECOND_FACTOR_SETUP_REQUIRED:
      'Сначала включите вход в два шага на странице «Профиль»: этого требует школа',
    CONFIRMATION_REQUIRED:
      'Ничего не изменено: сначала подтвердите, что это вы. Повторите действие',
    FACTOR_CODES_STOPPED:
      'Коды из приложения здесь больше не принимаются: неверных было слишком много. Войдите ключом входа или кодом восстановления и смените пароль, его знает кто-то ещё. Если их нет, обратитесь к администратору школы',
    REGISTRATION_CLOSED: 'Регистрация закрыта. Учётную запись выдаёт школа',
    PASSWORD_NOT_YOURS:
      'Пароль этого ученика сбросит администратор: учётную запись заводили не в этом классе',
  },
  404: {
    NOT_FOUND: 'Не найдено. Возможно, ссылка устарела',
  },
  405: {
    METHOD_NOT_ALLOWED: 'Такой запрос здесь не поддерживается',
  },
  409: {
    EMAIL_TAKEN: 'Эта почта уже зарегистрирована. Войдите или укажите другую',
    RUNNING_ELSEWHERE: 'Тест уже идёт на другом устройстве',
    TOO_MANY_TAKE_OVERS:
      'Тест слишком часто переходил с устройства на устройство. Продолжайте там, где он идёт сейчас, или повторите через минуту',
    NO_ATTEMPTS_LEFT: 'Попыток больше не осталось',
    NOT_OPEN_YET: 'Тест ещё не открыт',
    TEST_CLOSED: 'Тест закрыт',
    TEST_EMPTY: 'В тесте пока нет вопросов',
    ATTEMPT_NOT_RUNNING: 'Эта попытка уже не идёт',
    ATTEMPT_RUNNING: 'Пока идёт ваш тест, имя не изменить. Завершите тест и попробуйте снова',
    OFFLINE_START_OFF: 'Начало без сети у этого теста выключено. Начните тест, когда будет сеть',
    BEGIN_HELD:
      'Попытку уже начали без сети, её начало проверит преподаватель. Продолжайте на том же устройстве: ответы сохраняются',
    CODE_NOT_YET: 'Код ещё нельзя показать: время, с которого его показывают, не наступило',
    CODE_IN_USE: 'По этому коду уже начали тест, его не заменить и не убрать',
    NEXT_ATTEMPT_EXISTS: 'Следующая попытка уже начата: время прежней не продлить',
    INCOMPLETE: 'До сервера дошли ещё не все ответы',
    DEADLINE_MOVED: 'Время теста продлено',
    CHUNK_OUT_OF_PLACE: 'Часть файла пришла не по порядку',
    STALE_VERSION:
      'Тест тем временем изменили в другом месте. Ваши правки не записаны и не потеряны',
    TEST_HAS_ATTEMPTS: 'По тесту уже есть попытки: черновиком он больше не станет',
    TEST_NOT_READY: 'Публиковать рано: сначала исправьте замечания',
    TOO_MANY_TEMPLATES: 'Шаблонов слишком много. Удалите ненужные и повторите',
    AI_NOT_CONFIGURED: 'ИИ на этом сервере не настроен. Составьте вопросы вручную или подбором',
    ANSWER_CHANGED:
      'Пока вы проверяли, от ученика дошёл другой ответ. Посмотрите его и оцените снова',
    ALREADY_MEMBER: 'Вы уже в этом классе',
    GROUP_FULL: 'В классе больше нет места',
    LAST_ADMIN: 'Это последний администратор. Сначала назначьте ещё одного',
    OWN_ACCOUNT: 'Со своей учётной записью так нельзя. Попросите другого администратора',
    TOO_MANY_PROJECTS: 'Проектов слишком много. Удалите ненужные и повторите',
    FACTOR_STEP_OVER: 'Время на этот шаг вышло. Начните его заново',
    LAST_FACTOR:
      'Школа требует вход в два шага. Сначала добавьте другой способ, потом удалите этот',
    NO_FACTOR: 'Вход в два шага ещё не включён. Добавьте приложение с кодами или ключ входа',
    TOO_MANY_PASSKEYS: 'Ключей входа слишком много. Удалите ненужные и повторите',
    OWN_PROJECT: 'Свой проект оценивают другие. Эта оценка не записана',
  },
  410: {
    GONE: 'Попытка удалена преподавателем',
  },
  413: {
    TOO_LARGE: 'Слишком большой объём данных',
  },
  415: {
    UNSUPPORTED_TYPE: 'Такой тип данных здесь не принимается',
  },
  422: {
    KEY_ONLY: 'Здесь меняется только ключ: текст, варианты и баллы остаются какими были',
    WRONG_JOIN_CODE: 'Класса с таким кодом нет. Проверьте код или спросите его у преподавателя',
    SEQUENCE_TAKEN: 'Этот порядковый номер уже занят другим ответом',
    OPERATION_REUSED: 'Под этим номером операции уже сохранён другой ответ',
    INVALID_ANSWER: 'Ответ не подходит к вопросу',
    UNKNOWN_OFFER:
      'Начала этого теста сервер не узнаёт. Ответы на устройстве целы: покажите его преподавателю',
    HANDOVER_UNREADABLE:
      'Эти ответы не открываются: они из другой школы или повреждены. Ничего не загружено. Попросите ученика передать их ещё раз',
    HANDOVER_BLOCKED:
      'Учётная запись ученика заблокирована. Ничего не загружено. Разблокируйте её и повторите',
    UNKNOWN_QUESTION: 'Такого вопроса в этой попытке нет',
    CHECKSUM_MISMATCH: 'Файл дошёл повреждённым. Он отправляется заново',
    TOO_MANY_ANSWERS:
      'В этой попытке слишком много версий ответов, новые не принимаются. Сохранённое раньше цело. Завершите тест или позовите преподавателя',
    TOO_MANY_FILES:
      'Файлов слишком много, этот не принят. Отправленные раньше целы. Позовите преподавателя',
    FILE_REFUSED: 'Такой файл принять нельзя',
    WRONG_FACTOR: 'Не подошло. Проверьте и попробуйте ещё раз',
    WRONG_PASSWORD: 'Нынешний пароль не подошёл',
  },
  426: {
    OLD_CLIENT: 'Приложение устарело. Обновите его: ответы на устройстве сохранятся',
  },
  429: {
    TOO_MANY_REQUESTS: 'Слишком много запросов. Подождите немного',
    TOO_MANY_LOGINS: 'Слишком много неудачных попыток входа. Попробуйте позже',
  },
  500: {
    INTERNAL: 'На сервере произошла ошибка. Попробуйте ещё раз',
  },
  503: {
    STORAGE_FULL: 'На сервере закончилось место: файл не сохранён. Сообщите администратору школы',
    UNAVAILABLE: 'Сервер временно недоступен. Попробуйте ещё раз',
  },
});
export type ErrorCode = keyof typeof ERRORS;

/** Codes that any call can return, besides those the route names. */
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
