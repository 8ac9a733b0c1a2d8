import { UnreadableFile } from '#interchange/model.ts';

/** Columns that occur once, with their accepted names, the nearest first; the first one is written. */
const SINGLE = {
  kind: ['Вид', 'Вид вопроса', 'Тип', 'Тип вопроса', 'Type', 'Question type'],
  text: [
    'Вопрос',
    'Текст вопроса',
    'Текст',
    'Задание',
    'Формулировка',
    'Question',
    'Question text',
    'Frage',
    'Pregunta',
    'Texto pregunta',
    'Enunciado',
    'Pergunta',
    'Questão',
  ],
  points: ['Баллы', 'Балл', 'Оценка', 'Стоимость', 'Points', 'Score', 'Marks', 'Mark'],
  right: [
    'Верные',
    'Верный',
    'Верный ответ',
    'Верные ответы',
    'Верный вариант',
    'Верные варианты',
    'Правильный',
    'Правильные',
    'Правильный ответ',
    'Правильные ответы',
    'Правильный вариант',
    'Ответ',
    'Ответы',
    'Ключ',
    'Correct',
    'Correct answer',
    'Correct answers',
    'Correct answer(s)',
    'Correct option',
    'Correct options',
    'Correct choice',
    'Right answer',
    'Answer',
    'Lösung',
    'Loesung',
    'Antwort',
    'Richtige Antwort',
    'Respuesta',
    'Respuesta correcta',
    'Respuestas correctas',
    'Resposta',
    'Resposta correta',
  ],
  /** All options in one cell. */
  list: [
    'Варианты',
    'Варианты ответа',
    'Варианты ответов',
    'Options',
    'Choices',
    'Answer choices',
    'Opciones',
  ],
  shares: ['Доли'],
  tolerance: ['Допуск', 'Погрешность', 'Tolerance'],
  tolerances: ['Допуски ответов'],
  order: ['Порядок пар'],
  scoring: ['Оценивание'],
  shuffle: ['Перемешивать', 'Перемешать', 'Shuffle'],
  explanation: [
    'Пояснение',
    'Объяснение',
    'Комментарий',
    'Решение',
    'Разбор',
    'Explanation',
    'Answer explanation',
    'Erklärung',
    'Begründung',
    'Begruendung',
    'Explicación',
    'Explicacion',
    'Explicação',
  ],
  title: ['Название', 'Имя', 'Title'],
  topic: ['Тема', 'Раздел', 'Категория', 'Topic', 'Category', 'Kategorie', 'Materia'],
  difficulty: ['Сложность', 'Трудность', 'Уровень', 'Difficulty'],
  tags: ['Метки', 'Теги', 'Tags'],
  fileSize: ['Размер файла'],
  fileTypes: ['Типы файлов'],
  maxFiles: ['Сколько файлов'],
  transcript: ['Текст записи', 'Расшифровка', 'Transcript'],
  transcriptShown: ['Показывать текст записи'],
  language: ['Язык', 'Язык вопросов', 'Language'],
} as const;

/** Columns with numbers after their names. */
const NUMBERED = {
  option: [
    'Вариант',
    'Вариант ответа',
    'Левый',
    'Option',
    'Choice',
    'Answer',
    'Ответ',
    'Antwort',
    'Opción',
    'Opcion',
    'Opção',
    'Alternativa',
  ],
  wrong: [
    'Неверный',
    'Неверный ответ',
    'Неверный вариант',
    'Incorrect answer',
    'Wrong answer',
    'Distractor',
    'False',
  ],
  pair: ['Пара', 'Правый', 'Соответствие', 'Match'],
  feedback: ['Отзыв', 'Отзыв на вариант', 'Feedback'],
} as const;

export type SingleColumn = keyof typeof SINGLE;
export type NumberedColumn = keyof typeof NUMBERED;

export const singleHead = (column: SingleColumn): string => SINGLE[column][0];
export const numberedHead = (column: NumberedColumn, number: number): string =>
  `${NUMBERED[column][0]} ${number}`;

/** Additions of quiz sites to a head: «Question - max 120 characters», «… - choose at least one». */
const REMARK = / [-–—] (?:max \d+ characters|choose at least one).*$/i;
/** Options that are named by their letters alone. */
const LETTER = /^[a-hа-з]$/;

const simple = (head: string) =>
  head
    .replace(REMARK, '')
    // «optionA», «CorrectOption».
    .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/\s*\((?!s\))[^()]*\)/gi, '')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const byHead = <C extends string>(columns: Readonly<Record<C, readonly string[]>>) =>
  new Map(
    (Object.keys(columns) as C[]).flatMap((column) =>
      columns[column].map((head) => [simple(head), column] as const),
    ),
  );
const SINGLE_HEADS = byHead(SINGLE);
const NUMBERED_HEADS = byHead(NUMBERED);

/** Whether the first of two heads for one column has the nearer name. Several columns of right answers all count. */
function isNearer(column: SingleColumn, name: string, than: string): boolean {
  const names = SINGLE[column].map(simple);
  return column !== 'right' && names.indexOf(name) < names.indexOf(than);
}

/** Position of each column in a row. */
export interface TableColumns {
  readonly single: ReadonlyMap<SingleColumn, number>;
  readonly numbered: Readonly<Record<NumberedColumn, readonly number[]>>;
  /** Further columns of right answers after the first. */
  readonly moreRight: readonly number[];
  readonly unknown: readonly string[];
  /** Letters in the heads of the options: «Вариант А», «option_b»; null: they have none. */
  readonly letters: readonly string[] | null;
  /** Under our own head there are numbers of options, never their texts. */
  readonly hasOwnRight: boolean;
}

/** Right options beside «FALSE_1», «FALSE_2». */
const TRUE_HEAD = /^true ?\d{0,3}$/;
const LAST_LETTER = /(?:^| )([a-zа-я])$/;

/** The columns of a header row; null: a row without a question column is no header. */
export function columnsOf(heads: readonly string[]): TableColumns | null {
  const single = new Map<SingleColumn, number>();
  const moreRight: number[] = [];
  const numbered: Record<NumberedColumn, number[]> = {
    option: [],
    wrong: [],
    pair: [],
    feedback: [],
  };
  const unknown: string[] = [];
  for (const [at, head] of heads.entries()) {
    const name = simple(head.slice(0, 100));
    const one = TRUE_HEAD.test(name) ? 'right' : SINGLE_HEADS.get(name);
    const before = one === undefined ? undefined : single.get(one);
    const many = NUMBERED_HEADS.get(name.replace(/ ?\d{1,3}$| [a-zа-я]$/, ''));
    // «Question #» is its number.
    if (/[#№]\s*$/.test(head)) unknown.push(head.trim());
    else if (one !== undefined && before === undefined) single.set(one, at);
    else if (
      one !== undefined &&
      before !== undefined &&
      isNearer(one, name, simple(heads[before] ?? ''))
    ) {
      unknown.push((heads[before] ?? '').trim());
      single.set(one, at);
    } else if (one === 'right') moreRight.push(at);
    else if (many !== undefined) numbered[many].push(at);
    else if (LETTER.test(name)) numbered.option.push(at);
    else if (head.trim() !== '') unknown.push(head.trim());
  }
  if (!single.has('text')) return null;
  const letters = numbered.option.map((at) => LAST_LETTER.exec(simple(heads[at] ?? ''))?.[1] ?? '');
  return {
    single,
    numbered,
    moreRight,
    unknown,
    letters: letters.includes('') ? null : letters,
    hasOwnRight: simple(heads[single.get('right') ?? -1] ?? '') === simple(singleHead('right')),
  };
}

const HEAD_ROWS = 20;
const FEWEST_CELLS = 4;

/**
 * Reads rows without heads: a question, its options, and at the end the right option once more; null: they have another
 * form.
 */
function unheaded(rows: readonly (readonly string[])[]): (TableColumns & { row: number }) | null {
  const filled = rows
    .map((row) => row.map((cell) => cell.trim()))
    .filter((row) => row.some((cell) => cell !== ''));
  const width = filled[0]?.length ?? 0;
  const isTable =
    filled.length > 1 &&
    width >= FEWEST_CELLS &&
    filled.every((row) => row.length === width && row[0] !== '' && row.at(-1) !== '') &&
    filled.every((row) => row.slice(1, -1).includes(row.at(-1) ?? ''));
  if (!isTable) return null;
  const option = Array.from({ length: width - 2 }, (_, at) => at + 1);
  return {
    single: new Map<SingleColumn, number>([
      ['text', 0],
      ['right', width - 1],
    ]),
    numbered: { option, wrong: [], pair: [], feedback: [] },
    moreRight: [],
    unknown: [],
    letters: null,
    hasOwnRight: false,
    row: -1,
  };
}

/**
 * Finds the header among the first rows; `row` is −1 if the rows themselves show what they contain.
 * @throws {UnreadableFile} there is none, or a required column is missing
 */
export function findColumns(rows: readonly (readonly string[])[]): TableColumns & { row: number } {
  for (const [row, heads] of rows.slice(0, HEAD_ROWS).entries()) {
    const columns = columnsOf(heads);
    if (columns === null) continue;
    if (!columns.single.has('right') && columns.numbered.option.length === 0) {
      throw new UnreadableFile(
        'В таблице нет столбца «Верные» и столбцов «Вариант 1», «Вариант 2»…: без них ответы не прочитать. Скачайте образец таблицы и перенесите вопросы в него',
      );
    }
    return { ...columns, row };
  }
  const found = unheaded(rows);
  if (found) return found;
  throw new UnreadableFile(
    'В таблице нет столбца «Вопрос». Первая строка должна называть столбцы: Вид, Вопрос, Баллы, Верные, Вариант 1, Вариант 2… Скачайте образец таблицы и перенесите вопросы в него',
  );
}
