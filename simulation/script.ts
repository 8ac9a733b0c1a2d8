import type { CallFault } from './faults.ts';

/**
 * A run as text from which it can be repeated. A step is `12:answer`; an action of the
 * dishonest student after it is `12:cheat`; a fault of the step's third call is `12.3:replyLost`.
 */
export type Script = readonly string[];

/** Script of one step: its name, faults and actions of the dishonest student. */
export interface ScriptedStep {
  readonly index: number;
  /** Null: only the dishonest student acts. */
  readonly name: string | null;
  readonly cheats: boolean;
  /** Faults of its calls, by their order. */
  readonly faults: ReadonlyMap<number, CallFault>;
}

const ENTRY = /^(\d+)(?:\.(\d+))?:(\w+)$/;
const CHEAT = 'cheat';

export const stepEntry = (index: number, name: string): string => `${index}:${name}`;
export const cheatEntry = (index: number): string => `${index}:${CHEAT}`;
export const faultEntry = (index: number, call: number, fault: CallFault): string =>
  `${index}.${call}:${fault}`;

export const isCheatEntry = (entry: string): boolean => entry.endsWith(`:${CHEAT}`);
export const isFaultEntry = (entry: string): boolean => entry.includes('.');

/** Parses a script by step, in order. Throws on invalid text. */
export function parseScript(script: Script): ScriptedStep[] {
  const steps = new Map<
    number,
    { name: string | null; cheats: boolean; faults: [number, CallFault][] }
  >();
  for (const entry of script) {
    const [, index, call, name] = ENTRY.exec(entry) ?? [];
    if (index === undefined || name === undefined)
      throw new Error(`invalid script entry: ${entry}`);
    const step = steps.get(Number(index)) ?? { name: null, cheats: false, faults: [] };
    if (call !== undefined) step.faults.push([Number(call), name as CallFault]);
    else if (name === CHEAT) step.cheats = true;
    else step.name = name;
    steps.set(Number(index), step);
  }
  return [...steps]
    .toSorted(([a], [b]) => a - b)
    .map(([index, { name, cheats, faults }]) => ({ index, name, cheats, faults: new Map(faults) }));
}
