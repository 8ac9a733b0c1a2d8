import * as v from 'valibot';
import { logProblem } from '#app/offline/log.ts';

const EditMode = v.picklist(['custom', 'generate', 'ai']);
/** How the content of a test is edited. */
export type EditMode = v.InferOutput<typeof EditMode>;

const KEY = 'editModes';
/** Tests whose mode is remembered; the oldest are forgotten. */
const MOST = 100;
const Modes = v.record(v.string(), EditMode);

function readModes(local: Pick<Storage, 'getItem'>): Record<string, EditMode> {
  const kept = local.getItem(KEY);
  if (kept === null) return {};
  try {
    return v.parse(Modes, JSON.parse(kept));
  } catch (cause) {
    logProblem('Способ правки теста не разобрать', { cause });
    return {};
  }
}

/** The mode that was chosen last for a test; «вручную» when none was. */
export function readEditMode(local: Pick<Storage, 'getItem'>, testId: string): EditMode {
  return readModes(local)[testId] ?? 'custom';
}

export function rememberEditMode(
  local: Pick<Storage, 'getItem' | 'setItem'>,
  testId: string,
  mode: EditMode,
): void {
  const { [testId]: _, ...others } = readModes(local);
  const kept = Object.entries(others).slice(1 - MOST);
  try {
    local.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [testId, mode]])));
  } catch {
    // A full storage remembers no mode; that is no reason to show no editor.
  }
}
