import type { Question } from '#contract/questions.ts';
import type { TemplateBody } from '#contract/templates.ts';
import {
  AREAS_WIRE_VERSION,
  GAPS_WIRE_VERSION,
  OLDEST_WIRE_VERSION,
  ORDERING_WIRE_VERSION,
  PASSAGE_WIRE_VERSION,
  RECORDING_WIRE_VERSION,
  TEMPLATE_KINDS_WIRE_VERSION,
} from '#contract/version.ts';
import { hasAreas } from './areas.ts';

/** A recording in a text: `![описание](audio-file:KEY)`, a picture's form with another scheme. */
const RECORDING = /\]\(audio-file:[0-9a-f-]{36}\)/;

/** The first version of the app that can show a question, take its answer and save it whole. */
function neededVersion(question: Question): number {
  if (question.kind === 'gaps') return GAPS_WIRE_VERSION;
  if (question.kind === 'variant' && hasAreas(question.options)) return AREAS_WIRE_VERSION;
  // Wherever a text of the question stands.
  if (RECORDING.test(JSON.stringify(question))) return RECORDING_WIRE_VERSION;
  if (question.passage) return PASSAGE_WIRE_VERSION;
  return question.kind === 'ordering' ? ORDERING_WIRE_VERSION : OLDEST_WIRE_VERSION;
}

/** Whether an app of an older version could not keep some question whole. */
export const needNewerApp = (questions: readonly Question[], wireVersion: number): boolean =>
  questions.some((question) => wireVersion < neededVersion(question));

/** Whether an app of an older version could neither read a template nor save it whole. */
export const templateNeedsNewerApp = ({ key }: TemplateBody, wireVersion: number): boolean =>
  (key.kind === 'gaps' || key.kind === 'ordering') && wireVersion < TEMPLATE_KINDS_WIRE_VERSION;
