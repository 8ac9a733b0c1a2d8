import * as v from 'valibot';
import { StudentName } from '#contract/groups.ts';
import { readCsv, readNamedDelimiter } from '#domain/csv.ts';
import {
  findPeopleHeads,
  formatFullName,
  hasName,
  isHeadText,
  listUnread,
  nameFields,
  NO_COLUMNS,
  type PeopleHeads,
} from '#domain/people-columns.ts';
import { guessNameColumns } from './guess-names.ts';

/** A student to create, from the pasted list. */
export interface ListedName {
  /** Line number in the text, from 1. */
  line: number;
  name: string;
  /** Error message; null: valid. */
  problem: string | null;
  /** Same name as an earlier line or a current member. */
  isNamesake: boolean;
}

export interface NameList {
  readonly names: readonly ListedName[];
  /** What is not read of the text. */
  readonly notes: readonly string[];
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/** List numbers before a name: «1. », «12) », «№ 3 », «4 ». */
const NUMBERED = /^\s*№?\s*\d{1,3}\s*(?:[.)]\s*|\s(?=\s*\p{L})|$)/u;
/** A date of birth after a name. */
const DATED = /\s+\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})(?:\s*г\.?(?:\s*р\.?)?)?\s*$/u;
/** Lines above and below a list. */
const TITLE = /^\s*(?:список|классный руководитель|всего|итого)(?![\p{L}\p{N}])/iu;
/** Spaces and invisible characters. */
const NOTHING = /^[\p{Cf}\p{Cc}\s]*$/u;

const plain = (name: string) => name.toLowerCase().replaceAll('ё', 'е');

const formatLines = (lines: readonly number[]) =>
  `${lines.length === 1 ? 'строка' : 'строки'} ${lines.join(', ')}`;

/** Lines of names; the notes say what was left out. */
function readLines(text: string): { lines: Line[]; notes: string[] } {
  const titles: number[] = [];
  const dates: number[] = [];
  const lines = text.split('\n').flatMap((given, index): Line[] => {
    const line = index + 1;
    if (TITLE.test(given) || isHeadText(given)) {
      titles.push(line);
      return [];
    }
    const unnumbered = given.replace(NUMBERED, '');
    const undated = unnumbered.replace(DATED, '');
    if (undated !== unnumbered) dates.push(line);
    return NOTHING.test(undated) ? [] : [{ line, text: undated }];
  });
  return {
    lines,
    notes: [
      ...(titles.length > 0 ? [`Не читаются как имена: ${formatLines(titles)}`] : []),
      ...(dates.length > 0 ? [`Не читаются даты после имён: ${formatLines(dates)}`] : []),
    ],
  };
}

/** The delimiter of a pasted table; null: each line is a name. */
function findDelimiter(text: string): string | null {
  const { delimiter } = readNamedDelimiter(text);
  if (delimiter !== null) return delimiter;
  const lines = text.split('\n').filter((line) => !NOTHING.test(line));
  // A single tab in a list of names is a space.
  const isTable = (by: string) =>
    2 * lines.filter((line) => line.includes(by)).length >= lines.length;
  return lines.length === 0 ? null : (['\t', ';'].find(isTable) ?? null);
}

/** Names of a table, which has heads or shows by its cells where the names are. */
function readColumns(text: string, delimiter: string): { lines: Line[]; notes: string[] } {
  const { body } = readNamedDelimiter(text);
  const { rows } = readCsv(body, { delimiter });
  const cells = rows.map((row) => row.cells);
  const found = findPeopleHeads(cells);
  const heads: PeopleHeads =
    found && hasName(found.columns)
      ? found
      : {
          row: found?.row ?? -1,
          columns: { ...NO_COLUMNS, ...guessNameColumns(cells.slice((found?.row ?? -1) + 1)) },
        };
  const unread = listUnread(cells, heads, nameFields(heads.columns));
  const titles = rows.slice(0, Math.max(0, heads.row)).map(({ line }) => line);
  const lines: Line[] = [];
  for (const row of rows.slice(heads.row + 1)) {
    const [only, ...others] = row.cells.filter((cell) => !NOTHING.test(cell));
    if (only !== undefined && others.length === 0 && TITLE.test(only)) titles.push(row.line);
    else {
      const name = formatFullName(row.cells, heads.columns);
      const bare = name.replace(NUMBERED, '').replace(DATED, '');
      lines.push({ line: row.line, text: bare === '' ? name : bare });
    }
  }
  return {
    lines,
    notes: [
      ...(titles.length > 0 ? [`Не читаются как имена: ${formatLines(titles)}`] : []),
      ...(unread.length > 0 ? [`Не читаются столбцы: ${unread.join(', ')}`] : []),
    ],
  };
}

function problemOf(text: string, parsed: v.SafeParseResult<typeof StudentName>): string | null {
  if (NOTHING.test(text)) return 'Имени нет';
  if (!/\p{L}/u.test(text)) return 'Это не имя: в нём нет букв';
  return parsed.success ? null : parsed.issues[0].message;
}

/** Parses a pasted list, one name per line or the columns of a table; empty lines are skipped. */
export function readNames(given: string, members: readonly string[]): NameList {
  const text = given.replaceAll(/\r\n?/g, '\n');
  const delimiter = findDelimiter(text);
  const { lines, notes } = delimiter === null ? readLines(text) : readColumns(text, delimiter);
  const known = new Set(members.map(plain));
  const names = lines.map(({ line, text: written }): ListedName => {
    const parsed = v.safeParse(StudentName, written);
    const name = parsed.success ? parsed.output : written.trim();
    const problem = problemOf(written, parsed);
    const isNamesake = problem === null && known.has(plain(name));
    if (problem === null) known.add(plain(name));
    return { line, name, problem, isNamesake };
  });
  return { names, notes };
}
