import {
  IconCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconUserSearch,
  IconX,
} from '@tabler/icons-react';
import type { ItemVerdict } from '#contract/results.ts';
import type { IconType } from '#app/ui/Icon.tsx';
import { StatePill, type Tone } from '#app/ui/data/StatePill.tsx';
import { verdictLabel } from './messages.ts';

const SIGNS: Readonly<Record<ItemVerdict, { icon: IconType; tone: Tone }>> = {
  right: { icon: IconCheck, tone: 'ok' },
  partial: { icon: IconCircleHalf2, tone: 'warn' },
  wrong: { icon: IconX, tone: 'bad' },
  unanswered: { icon: IconCircleDashed, tone: 'quiet' },
  pending: { icon: IconUserSearch, tone: 'warn' },
};

/** Verdict of one answer as icon, label and colour. */
export function VerdictPill({ verdict }: { verdict: ItemVerdict }) {
  const { icon, tone } = SIGNS[verdict];
  return (
    <StatePill icon={icon} tone={tone}>
      {verdictLabel(verdict)}
    </StatePill>
  );
}
