/** The position of an operation among those of its attempt. */
export interface Position {
  readonly epoch: number;
  /** Its sequence; without one, the highest of its stream at receipt. */
  readonly rank: number;
  /** Order of receipt. */
  readonly ordinal: number;
}

/** Positive when `a` comes after `b`: greatest epoch, then sequence, then receipt (server rule 3). */
function comparePositions(a: Position, b: Position): number {
  return a.epoch - b.epoch || a.rank - b.rank || a.ordinal - b.ordinal;
}

/** A journalled answer with the fields that counting needs. */
export interface JournalledAnswer extends Position {
  readonly questionId: string;
  readonly outcome: 'stored' | 'superseded' | 'held' | 'refused';
  readonly decision: 'accepted' | 'refused' | null;
  readonly receivedLate: boolean;
}

/** Held ones count only if the teacher accepted them; refused ones never. */
function canCount(answer: Pick<JournalledAnswer, 'outcome' | 'decision'>): boolean {
  if (answer.outcome === 'refused') return false;
  return answer.outcome === 'held' ? answer.decision === 'accepted' : true;
}

/** The answer that counts for each question; optionally without late ones. */
export function countingAnswers<A extends JournalledAnswer>(
  journal: readonly A[],
  late: 'withLate' | 'withoutLate',
): Map<string, A> {
  const counting = new Map<string, A>();
  for (const answer of journal) {
    if (!canCount(answer)) continue;
    if (late === 'withoutLate' && (answer.receivedLate || answer.outcome === 'held')) continue;
    const best = counting.get(answer.questionId);
    if (!best || comparePositions(answer, best) > 0) counting.set(answer.questionId, answer);
  }
  return counting;
}
