import * as v from 'valibot';
import { PupilName } from '#contract/groups.ts';

/** One pupil to be, as the pasted list names him. */
export interface ListedName {
  /** In the text, counted from 1: where to look for a mistake. */
  line: number;
  name: string;
  /** What is wrong with the name; null: nothing. */
  problem: string | null;
  /** Somebody above, or in the class already, is called the same. */
  isNamesake: boolean;
}

/** «1. », «12) » before a name: lists come numbered. */
const NUMBERED = /^\s*\d{1,3}\s*[.)]\s*/;
/** Blanks, and signs nobody sees. */
const NOTHING = /^[\p{Cf}\p{Cc}\s]*$/u;

const plain = (name: string) => name.toLowerCase().replaceAll('ё', 'е');

/** The names of a pasted list, one per line; empty lines are nobody. */
export function readNames(text: string, members: readonly string[]): ListedName[] {
  const known = new Set(members.map(plain));
  return text.split(/\r\n|\r|\n/).flatMap((given, index): ListedName[] => {
    const written = given.replace(NUMBERED, '');
    if (NOTHING.test(written)) return [];
    const parsed = v.safeParse(PupilName, written);
    const name = parsed.success ? parsed.output : written.trim();
    const isNamesake = known.has(plain(name));
    known.add(plain(name));
    const problem = parsed.success ? null : parsed.issues[0].message;
    return [{ line: index + 1, name, problem, isNamesake }];
  });
}
