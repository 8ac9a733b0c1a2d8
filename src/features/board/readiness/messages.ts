import { READINESS_LABELS } from '#domain/labels-readiness.ts';
import type { ReadinessCounts, StudentVerdict, Verdict } from './verdicts.ts';

/** «Готовы: 24 из 30. Уже начали: 2.» */
export const formatReady = ({ ready, all, begun }: ReadinessCounts): string =>
  `Готовы: ${ready} из ${all}.${begun > 0 ? ` Уже начали: ${begun}.` : ''}`;

export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  ready: 'готово',
  notReady: 'не готово',
  changed: 'не готово',
  old: 'давно не проверялось',
  never: 'не проверялось',
  begun: 'тест уже начат',
};

const REASONS: Readonly<Record<Exclude<Verdict, 'ready' | 'notReady' | 'begun'>, string>> = {
  changed: 'тест изменили после проверки, устройству снова нужна сеть',
  old: 'последняя проверка была больше суток назад или до новой версии теста',
  never: 'страница теста ещё не открыта',
};

/** Why a student is not ready; empty for the others. */
export function formatReason({ verdict, problems }: StudentVerdict): string {
  if (verdict === 'ready' || verdict === 'begun') return '';
  if (verdict !== 'notReady') return REASONS[verdict];
  return problems.map((problem) => READINESS_LABELS[problem]).join(', ');
}
