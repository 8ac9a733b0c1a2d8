import {
  IconArrowBigDownLine,
  IconArrowBigUpLine,
  IconListDetails,
  IconMessage2,
  IconRefresh,
  IconSparkles,
} from '@tabler/icons-react';
import type { AiWish } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import type { IconType } from '#app/ui/Icon.tsx';

interface Wish {
  readonly wish: AiWish;
  readonly label: string;
  readonly icon: IconType;
}

const AGAIN: Wish = { wish: 'again', label: 'Спросить заново', icon: IconRefresh };
const DISTRACTORS: Wish = {
  wish: 'distractors',
  label: 'Больше неверных вариантов',
  icon: IconListDetails,
};
const OTHERS: readonly Wish[] = [
  { wish: 'easier', label: 'Сделать легче', icon: IconArrowBigDownLine },
  { wish: 'harder', label: 'Сделать сложнее', icon: IconArrowBigUpLine },
  { wish: 'own', label: 'Своё пожелание…', icon: IconMessage2 },
];

/** Predefined wishes for a question kind. */
export const wishesOf = (kind: Question['kind']): readonly Wish[] => [
  AGAIN,
  { wish: 'improve', label: 'Улучшить', icon: IconSparkles },
  ...(kind === 'variant' || kind === 'compliance' ? [DISTRACTORS] : []),
  ...OTHERS,
];
