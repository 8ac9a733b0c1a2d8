import type { Forms } from '#domain/format.ts';
import type { Slot } from './generation-form.ts';

const SLOT_NAMES: Readonly<Record<Slot, string>> = {
  easy: 'Лёгких',
  medium: 'Средних',
  hard: 'Сложных',
  any: 'Любых',
};

export const slotLabel = (slot: Slot): string => SLOT_NAMES[slot];

export const VARIANTS: Forms = ['вариант', 'варианта', 'вариантов'];

/** «Лёгких вопросов в банке нашлось 2 из 5.» */
export function shortageMessage(shortage: {
  difficulty: Slot;
  wanted: number;
  found: number;
}): string {
  const { difficulty, wanted, found } = shortage;
  const which = difficulty === 'any' ? 'Подходящих' : slotLabel(difficulty);
  return found === 0
    ? `${which} вопросов в банке не нашлось, а нужно ${wanted}.`
    : `${which} вопросов в банке нашлось ${found} из ${wanted}.`;
}
