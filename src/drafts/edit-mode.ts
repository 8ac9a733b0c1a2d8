import * as v from 'valibot';
import { logProblem } from '#app/lib/log.ts';

const EditMode = v.picklist(['custom', 'generate', 'ai']);
/** The method of editing a test's content. */
export type EditMode = v.InferOutput<typeof EditMode>;

const KEY = 'editModes';
/** The number of tests with a remembered mode. */
const MOST = 100;
const Modes = v.record(v.string(), EditMode);

function readModes(local: Pick<Storage, 'getItem'>): Record<string, EditMode> {
  const stored = local.getItem(KEY);
  if (stored === null) return {};
  try {
    return v.parse(Modes, JSON.parse(stored));
  } catch (cause) {
    logProblem('Способ правки теста не разобрать', { cause });
    return {};
  }
}

/** The last chosen mode of a test; «вручную» by default. */
export function readEditMode(local: Pick<Storage, 'getItem'>, testId: string): EditMode {
  return readModes(local)[testId] ?? 'custom';
}

export function rememberEditMode(
  local: Pick<Storage, 'getItem' | 'setItem'>,
  testId: string,
  mode: EditMode,
): void {
  const { [testId]: _, ...others } = readModes(local);
  const stored = Object.entries(others).slice(1 - MOST);
  try {
    local.setItem(KEY, JSON.stringify(Object.fromEntries([...stored, [testId, mode]])));
  } catch {
    // With a full storage the mode is not remembered; the editor must still open.
  }
}
