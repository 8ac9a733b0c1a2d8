import {
  IconCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconUserSearch,
  IconX,
} from '@tabler/icons-react';
import type { ItemVerdict } from '#contract/results.ts';
import type { IconType } from '#app/ui/icon-type.ts';
import { StatePill, type Tone } from '#app/ui/StatePill.tsx';
import { verdictWords } from './result-words.ts';

const SIGNS: Readonly<Record<ItemVerdict, { icon: IconType; tone: Tone }>> = {
  right: { icon: IconCheck, tone: 'ok' },
  partial: { icon: IconCircleHalf2, tone: 'warn' },
  wrong: { icon: IconX, tone: 'bad' },
  unanswered: { icon: IconCircleDashed, tone: 'quiet' },
  pending: { icon: IconUserSearch, tone: 'warn' },
};

/** What became of one answer, as icon, word and colour. */
export function VerdictPill({ verdict }: { verdict: ItemVerdict }) {
  const { icon, tone } = SIGNS[verdict];
  return (
    <StatePill icon={icon} tone={tone}>
      {verdictWords(verdict)}
    </StatePill>
  );
}
