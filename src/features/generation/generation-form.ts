import type { QuestionKind } from '#contract/bank.ts';
import { BANK_PICK_MOST } from '#contract/limits.ts';
import type { Generation } from '#contract/templates.ts';
import type { Theme } from '#contract/themes.ts';
import { typedNumber } from './template/numbers.ts';

/** Difficulties with a requested count; `any` draws from the rest. */
export type Slot = keyof Generation['mix'];
export const SLOTS: readonly Slot[] = ['easy', 'medium', 'hard', 'any'];

export interface ChosenTemplate {
  readonly templateId: string;
  /** Form state. */
  readonly count: string;
  readonly perStudent: boolean;
}

/** Form state of the assembly. */
export interface GenerationForm {
  readonly seed: string;
  readonly theme: Theme | '';
  readonly topics: readonly string[];
  readonly tags: readonly string[];
  readonly kinds: readonly QuestionKind[];
  readonly mix: Readonly<Record<Slot, string>>;
  readonly templates: readonly ChosenTemplate[];
}

/** Questions of one template at most. */
const TEMPLATE_COUNT_MOST = 300;
/** Leaves capacity for replacements. */
export const SEED_CHARACTERS = 60;
/** Unambiguous characters: no О and 0, no I and 1. */
const SEED_SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A seed easy to copy by hand; `random` returns numbers in [0, 1). */
export function newSeed(random: () => number = Math.random): string {
  const sign = () => SEED_SIGNS.charAt(Math.floor(random() * SEED_SIGNS.length));
  return Array.from({ length: 6 }, sign).join('');
}

/** Form state of the stored settings, or the defaults. */
export function formOf(stored: Generation | null, seed: string): GenerationForm {
  if (!stored) {
    const mix = { easy: '0', medium: '0', hard: '0', any: '5' };
    return { seed, theme: '', topics: [], tags: [], kinds: [], mix, templates: [] };
  }
  const { criteria, mix } = stored;
  return {
    seed: stored.seed,
    theme: criteria.theme ?? '',
    topics: criteria.topics,
    tags: criteria.tags,
    kinds: criteria.kinds,
    mix: {
      easy: String(mix.easy),
      medium: String(mix.medium),
      hard: String(mix.hard),
      any: String(mix.any),
    },
    templates: stored.templates.map((chosen) => ({ ...chosen, count: String(chosen.count) })),
  };
}

function readCount(text: string, least: number, most: number): number | string {
  const count = text.trim() === '' ? 0 : typedNumber(text);
  if (count === null || !Number.isInteger(count) || count < 0) return 'Целое число';
  if (count < least) return `Не меньше ${least}`;
  return count > most ? `Не больше ${most}` : count;
}

/** Problems are named by field: `mix.easy`, `templates.ID`, `seed`, and `form` for the whole. */
export interface ReadGeneration {
  readonly generation: Generation | null;
  readonly problems: ReadonlyMap<string, string>;
}

/** Parses the form; deleted templates and an empty bank are omitted. */
export function readGeneration(
  form: GenerationForm,
  known: { readonly bankTotal: number; readonly templateIds: ReadonlySet<string> },
): ReadGeneration {
  const problems = new Map<string, string>();
  const read = (field: string, text: string, least: number, most: number): number => {
    const count = readCount(text, least, most);
    if (typeof count === 'number') return count;
    problems.set(field, count);
    return 0;
  };
  const slot = (name: Slot) =>
    known.bankTotal === 0 ? 0 : read(`mix.${name}`, form.mix[name], 0, BANK_PICK_MOST);
  const mix = { easy: slot('easy'), medium: slot('medium'), hard: slot('hard'), any: slot('any') };
  const templates = form.templates
    .filter(({ templateId }) => known.templateIds.has(templateId))
    .map(({ templateId, count, perStudent }) => ({
      templateId,
      perStudent,
      count: read(`templates.${templateId}`, count, perStudent ? 2 : 1, TEMPLATE_COUNT_MOST),
    }));
  const seed = form.seed.trim();
  if (seed === '') problems.set('seed', 'Введите зерно или нажмите «Новый подбор»');
  if (SLOTS.every((name) => mix[name] === 0) && templates.length === 0 && problems.size === 0)
    problems.set('form', 'Укажите, сколько вопросов нужно, или отметьте шаблон');
  if (problems.size > 0) return { generation: null, problems };
  const criteria = {
    ...(form.theme === '' ? {} : { theme: form.theme }),
    topics: [...form.topics],
    tags: [...form.tags],
    kinds: [...form.kinds],
  };
  return { generation: { seed, criteria, mix, templates }, problems };
}
