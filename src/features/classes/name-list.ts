import * as v from 'valibot';
import { StudentName } from '#contract/groups.ts';

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

/** List numbers before a name: «1. », «12) ». */
const NUMBERED = /^\s*\d{1,3}\s*[.)]\s*/;
/** Spaces and invisible characters. */
const NOTHING = /^[\p{Cf}\p{Cc}\s]*$/u;

const plain = (name: string) => name.toLowerCase().replaceAll('ё', 'е');

/** Parses a pasted list, one name per line; empty lines are skipped. */
export function readNames(text: string, members: readonly string[]): ListedName[] {
  const known = new Set(members.map(plain));
  return text.split(/\r\n|\r|\n/).flatMap((given, index): ListedName[] => {
    const written = given.replace(NUMBERED, '');
    if (NOTHING.test(written)) return [];
    const parsed = v.safeParse(StudentName, written);
    const name = parsed.success ? parsed.output : written.trim();
    const isNamesake = known.has(plain(name));
    known.add(plain(name));
    const problem = parsed.success ? null : parsed.issues[0].message;
    return [{ line: index + 1, name, problem, isNamesake }];
  });
}
