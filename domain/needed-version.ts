import type { Question } from '#contract/questions.ts';
import type { TemplateBody } from '#contract/templates.ts';
import {
  AREAS_WIRE_VERSION,
  GAPS_WIRE_VERSION,
  OLDEST_WIRE_VERSION,
  ORDERING_WIRE_VERSION,
  PASSAGE_WIRE_VERSION,
  RECORDING_WIRE_VERSION,
  SEVERAL_FILES_WIRE_VERSION,
  TEMPLATE_KINDS_WIRE_VERSION,
  TRANSCRIPT_WIRE_VERSION,
} from '#contract/version.ts';
import { maxFilesOf } from './answer-files.ts';
import { hasAreas } from './areas.ts';
import { hasRecording } from './recordings.ts';

/** The first version of the app that can show a question, take its answer and save it whole. */
function neededVersion(question: Question): number {
  if (question.kind === 'gaps') return GAPS_WIRE_VERSION;
  if (question.kind === 'file' && maxFilesOf(question) > 1) return SEVERAL_FILES_WIRE_VERSION;
  if (question.transcript ?? question.passage?.transcript) return TRANSCRIPT_WIRE_VERSION;
  if (question.kind === 'variant' && hasAreas(question.options)) return AREAS_WIRE_VERSION;
  if (hasRecording(question)) return RECORDING_WIRE_VERSION;
  if (question.passage) return PASSAGE_WIRE_VERSION;
  return question.kind === 'ordering' ? ORDERING_WIRE_VERSION : OLDEST_WIRE_VERSION;
}

/** Whether an app of an older version could not keep some question whole. */
export const needNewerApp = (questions: readonly Question[], wireVersion: number): boolean =>
  questions.some((question) => wireVersion < neededVersion(question));

/** Whether an app of an older version could neither read a template nor save it whole. */
export const templateNeedsNewerApp = ({ key }: TemplateBody, wireVersion: number): boolean =>
  (key.kind === 'gaps' || key.kind === 'ordering') && wireVersion < TEMPLATE_KINDS_WIRE_VERSION;
