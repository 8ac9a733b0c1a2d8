/**
 * What an attacker tries, by the files of `tests/` that try it against the real server and a real database.
 * @type {readonly (readonly [title: string, files: readonly string[]])[]}
 */
export const AUDIT_PARTS = [
  [
    'Каждый вызов от каждой роли и не своего владельца',
    ['role-matrix', 'foreign-class', 'pictures', 'passing-owner', 'passing-access'],
  ],
  ['Чужой номер рядом со своим: в теле, запросе и заголовках', ['foreign-ids']],
  ['Чужие строки рядом со своими, при позволенных вызовах', ['bystanders']],
  ['Скрытое, удалённое и ещё не опубликованное', ['hidden-states']],
  [
    'Результаты, ответы и ключи раньше времени',
    [
      'results-preview',
      'statistics',
      'statistics-scores',
      'statistics-export',
      'variants',
      'receipts',
    ],
  ],
  ['Проверка и поздние ответы чужого теста', ['grading-held', 'grading-grades', 'grading-queue']],
  ['Исправленный ключ и пропавшие ответы', ['grading-key', 'grading-missing', 'review-teaching']],
  ['Файл с ответами чужого теста', ['rescue', '/faults/rescue']],
  [
    'Время, попытки и табло чужого теста',
    ['board', 'board-time', 'board-stream', 'passing-extend'],
  ],
  ['Файлы ответов, картинок и проектов', ['passing-files', 'project-files', 'handed-in-types']],
  ['Скрытые и чужие проекты', ['projects', 'demo-projects']],
  ['Доступ коллег выше своего', ['sharing']],
  ['Классы, коды и пароли учеников', ['groups', 'groups-students']],
  [
    'Чужие тесты, черновики, банк и шаблоны',
    ['authoring', 'drafts', 'bank', 'templates', 'trials', 'test-base', 'review-making', 'ai'],
  ],
  ['Учётные записи и их данные', ['admin-users', 'admin-import', 'profile', 'erasure', 'rename']],
  ['Негодные и враждебные тела, адреса и заголовки', ['bad-input', 'security', 'search']],
  ['Тела запросов, которые дороже своей длины', ['body-costs']],
  ['Ключи, которые можно вычислить', ['computable-keys']],
  [
    'Ответы после результата',
    ['passing-late', 'passing-proofs', 'passing-finish', 'passing-start'],
  ],
  [
    'Начало без сети',
    [
      'offline-offer',
      'offline-class-codes',
      'offline-begin',
      'offline-holds',
      'offline-readiness',
      'offline-restore',
    ],
  ],
  ['Пределы ответов, файлов и диска', ['passing-limits', 'journal-size']],
  ['Подбор паролей и закрытие входа', ['sign-in-limits', 'auth', 'reset-password']],
  ['Второй шаг входа и подтверждения', ['second-factor']],
  ['Журнал действий и показатели', ['audit-acts', 'audit-log', 'operations']],
  ['Гонки вызовов', ['overtaken-calls', 'passing-races', 'admin-races']],
];

/** @param {string} name of a file of `tests/integration`, or with its folder */
export const auditFile = (name) =>
  name.startsWith('/') ? `tests${name}.test.ts` : `tests/integration/${name}.test.ts`;
