import type { CallFault } from './faults.ts';

/**
 * What a run did, deed by deed, as text that can be given back to it. A step is `12:answer`; what the
 * dishonest student does behind it is `12:cheat`; a fault of the step's third call is `12.3:replyLost`.
 */
export type Script = readonly string[];

/** The script of one step: its name, and what goes along with it. */
export interface ScriptedStep {
  readonly index: number;
  /** Null: only the dishonest student acts. */
  readonly name: string | null;
  readonly cheats: boolean;
  /** Faults of its calls, by their order. */
  readonly faults: ReadonlyMap<number, CallFault>;
}

const DEED = /^(\d+)(?:\.(\d+))?:(\w+)$/;
const CHEAT = 'cheat';

export const stepDeed = (index: number, name: string): string => `${index}:${name}`;
export const cheatDeed = (index: number): string => `${index}:${CHEAT}`;
export const faultDeed = (index: number, call: number, fault: CallFault): string =>
  `${index}.${call}:${fault}`;

export const isCheatDeed = (deed: string): boolean => deed.endsWith(`:${CHEAT}`);
export const isFaultDeed = (deed: string): boolean => deed.includes('.');

/** Deeds by step, in order. Throws on text that is no script. */
export function parseScript(script: Script): ScriptedStep[] {
  const steps = new Map<
    number,
    { name: string | null; cheats: boolean; faults: [number, CallFault][] }
  >();
  for (const deed of script) {
    const [, index, call, name] = DEED.exec(deed) ?? [];
    if (index === undefined || name === undefined) throw new Error(`no deed of a script: ${deed}`);
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
