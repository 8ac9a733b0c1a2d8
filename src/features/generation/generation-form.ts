import * as v from 'valibot';
import { QuestionKind } from '#contract/bank.ts';
import { MAX_BANK_PICK } from '#contract/limits.ts';
import type { Generation } from '#contract/templates.ts';
import { Theme } from '#contract/themes.ts';
import { issuePath } from '#app/lib/field-problems.ts';
import type { useAppForm } from '#app/lib/use-app-form.ts';
import { typedNumber } from './template/numbers.ts';

/** Difficulties with a requested count; `any` draws from the rest. */
export type Slot = keyof Generation['mix'];
export const SLOTS: readonly Slot[] = ['easy', 'medium', 'hard', 'any'];

const count = v.optional(v.string(), '');

/** Form state of the draw. Fields that are not shown are absent, and request nothing. */
export const GenerationForm = v.object({
  seed: v.string(),
  theme: v.optional(v.union([Theme, v.literal('')]), ''),
  topics: v.optional(v.array(v.string()), []),
  tags: v.optional(v.array(v.string()), []),
  kinds: v.optional(v.array(QuestionKind), []),
  mix: v.optional(v.object({ easy: count, medium: count, hard: count, any: count }), {}),
  /** Ids of templates. */
  chosen: v.optional(v.array(v.string()), []),
  /** By the template's id. */
  shares: v.optional(v.record(v.string(), v.object({ count, perStudent: v.boolean() })), {}),
});
export type GenerationForm = v.InferOutput<typeof GenerationForm>;
/** The props of the screen's parts. */
export type DrawForm = ReturnType<typeof useAppForm<GenerationForm, Generation>>;
/** The share of a template that was just chosen. */
export const FIRST_SHARE = { count: '5', perStudent: false } as const;

/** Questions of one template at most. */
const MAX_TEMPLATE_COUNT = 300;
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
    return { seed, theme: '', topics: [], tags: [], kinds: [], mix, chosen: [], shares: {} };
  }
  const { criteria, mix, templates } = stored;
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
    chosen: templates.map(({ templateId }) => templateId),
    shares: Object.fromEntries(
      templates.map(({ templateId, count: wanted, perStudent }) => [
        templateId,
        { count: String(wanted), perStudent },
      ]),
    ),
  };
}

function readCount(text: string, least: number, most: number): number | string {
  const count = text.trim() === '' ? 0 : typedNumber(text);
  if (count === null || !Number.isInteger(count) || count < 0) return 'Целое число';
  if (count < least) return `Не меньше ${least}`;
  return count > most ? `Не больше ${most}` : count;
}

/** Whether a draw requests any question. */
export const asksForAny = ({ mix, templates }: Generation): boolean =>
  templates.length > 0 || SLOTS.some((slot) => mix[slot] > 0);

/** Converts the typed values to a draw. */
export const TypedGeneration = v.pipe(
  GenerationForm,
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): Generation => {
    let isSound = true;
    const refuse = (message: string, field: string) => {
      isSound = false;
      addIssue({ message, path: issuePath(field) });
    };
    const read = (field: string, text: string, least: number, most: number): number => {
      const wanted = readCount(text, least, most);
      if (typeof wanted === 'number') return wanted;
      refuse(wanted, field);
      return 0;
    };
    const slot = (name: Slot) => read(`mix.${name}`, value.mix[name], 0, MAX_BANK_PICK);
    const mix = {
      easy: slot('easy'),
      medium: slot('medium'),
      hard: slot('hard'),
      any: slot('any'),
    };
    // A template that was deleted has no fields any more.
    const templates = value.chosen.flatMap((templateId) => {
      const share = value.shares[templateId];
      if (!share) return [];
      const least = share.perStudent ? 2 : 1;
      const wanted = read(`shares.${templateId}.count`, share.count, least, MAX_TEMPLATE_COUNT);
      return [{ templateId, perStudent: share.perStudent, count: wanted }];
    });
    const seed = value.seed.trim();
    if (seed === '') refuse('Введите зерно или нажмите «Новый подбор»', 'seed');
    if (!isSound) return NEVER;
    const { theme, topics, tags, kinds } = value;
    return {
      seed,
      criteria: { ...(theme !== '' && { theme }), topics, tags, kinds },
      mix,
      templates,
    };
  }),
);
