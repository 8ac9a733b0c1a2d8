import {
  IconCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconUserSearch,
  IconX,
} from '@tabler/icons-react';
import type { ItemVerdict } from '#contract/results.ts';
import { type Sign, StatePill } from '#app/ui/data/StatePill.tsx';
import { verdictLabel } from './messages.ts';

const SIGNS: Readonly<Record<ItemVerdict, Sign>> = {
  right: { icon: IconCheck, tone: 'ok' },
  partial: { icon: IconCircleHalf2, tone: 'warn' },
  wrong: { icon: IconX, tone: 'bad' },
  unanswered: { icon: IconCircleDashed, tone: 'quiet' },
  pending: { icon: IconUserSearch, tone: 'warn' },
};

/** Verdict of one answer as icon, label and colour. */
export function VerdictPill({ verdict }: { verdict: ItemVerdict }) {
  return <StatePill {...SIGNS[verdict]}>{verdictLabel(verdict)}</StatePill>;
}
