import type { Difficulty } from '#contract/themes.ts';

/** Moodle’s question types without a counterpart here, by their Russian names in Moodle. */
const REFUSED: Readonly<Record<string, string>> = {
  description: 'Описание: это пояснение, на него не отвечают, и вопроса после него в файле нет',
  ddimageortext:
    'Перетаскивание на картинку: таких вопросов здесь нет. Пронумеруйте места и сделайте соответствие',
  ddmarker:
    'Перетаскивание маркеров: таких вопросов здесь нет. Сделайте в редакторе выбор области на картинке',
  random: 'Случайный вопрос: в файле нет его текста',
  randomsamatch: 'Случайное соответствие: его пары берутся из других вопросов',
  coderunner: 'Программа (CodeRunner): ответ проверяет запуск кода',
  stack: 'STACK: ответ проверяет система компьютерной алгебры',
};

export const refusal = (type: string): string =>
  (Object.hasOwn(REFUSED, type) ? REFUSED[type] : undefined) ??
  `Вопросы типа «${type.slice(0, 40)}» здесь не читаются`;

const DIFFICULTIES: Readonly<Record<Difficulty, string>> = {
  easy: 'Сложность: лёгкая',
  medium: 'Сложность: средняя',
  hard: 'Сложность: сложная',
};

/** Moodle has tags but no difficulty. */
export const difficultyTag = (difficulty: Difficulty): string => DIFFICULTIES[difficulty];

export function difficultyOfTag(tag: string): Difficulty | undefined {
  const found = Object.entries(DIFFICULTIES).find(([, words]) => words === tag);
  return found?.[0] as Difficulty | undefined;
}

/** The topic of a category’s path: without the course, the top and Moodle’s default names. */
export function topicOf(path: string): string | undefined {
  const names = path
    .split(/(?<!\/)\/(?!\/)/)
    .map((name) => name.replaceAll('//', '/').trim())
    .filter(
      (name, index) =>
        name !== '' &&
        !(index < 2 && (/^\$\w+\$$/.test(name) || name === 'top')) &&
        !/^(?:Default for |По умолчанию для )/.test(name),
    );
  return names.length === 0 ? undefined : names.join(' / ');
}

/** The category path of a topic; the inverse of {@link topicOf}. */
export function categoryOf(topic: string | undefined): string {
  if (topic === undefined) return '$course$/top';
  const name = topic.replaceAll('/', '//');
  return `$course$/top/${name.startsWith('/') ? ' ' : ''}${name}${name.endsWith('/') ? ' ' : ''}`;
}

/** Moodle's default texts. Their loss is not reported. */
const DEFAULT_FEEDBACK = new Set([
  'Your answer is correct.',
  'Your answer is partially correct.',
  'Your answer is incorrect.',
  'Ваш ответ верный.',
  'Ваш ответ частично правильный.',
  'Ваш ответ неправильный.',
  'Ваш ответ неверный.',
]);
export const isDefaultFeedback = (text: string): boolean =>
  text === '' || DEFAULT_FEEDBACK.has(text);

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  image: ['image/*'],
  web_image: ['image/*'],
  optimised_image: ['image/*'],
  audio: ['audio/*'],
  html_audio: ['audio/*'],
  web_audio: ['audio/*'],
  video: ['video/*'],
  html_video: ['video/*'],
  web_video: ['video/*'],
  document: ['.doc', '.docx', '.odt', '.pdf', '.rtf', '.txt'],
  spreadsheet: ['.xls', '.xlsx', '.ods', '.csv'],
  presentation: ['.ppt', '.pptx', '.odp'],
  archive: ['.zip', '.7z', '.rar'],
  '*': ['*/*'],
};

/** Moodle’s list of file types as an `accept` list; unknown ones are left out. */
export function acceptOf(list: string): { accept: string[]; unknown: string[] } {
  const given = list.split(/[\s,;]+/).filter(Boolean);
  const known = given.flatMap((type) =>
    /^\.[\w-]+$|^[\w-]+\/[\w.+*-]+$/.test(type) ? [type] : (GROUPS[type] ?? []),
  );
  return {
    accept: [...new Set(known)],
    unknown: given.filter((type) => !GROUPS[type] && !known.includes(type)),
  };
}

export const fileTypesOf = (accept: readonly string[]): string =>
  accept.map((type) => type.replace(/^(image|audio|video)\/\*$/, '$1')).join(',');

/** The description that Moodle itself writes for a default category, in its languages. */
const DEFAULT_DESCRIPTION =
  /^(?:The default category for questions shared in context|Категория по умолчанию для общих вопросов в контексте|(?:La )?catégorie par défaut pour les questions partagées|Standardkategorie für Fragen, die im Kontext|(?:La )?categoría por defecto para (?:las )?preguntas compartidas|A categoria padrão para as questões compartilhadas|(?:A )?categoria predefinida para perguntas partilhadas|La categoria (?:predefinita|default) per le domande condivise)(?= |$)/i;
export const isDefaultDescription = (text: string): boolean => DEFAULT_DESCRIPTION.test(text);
