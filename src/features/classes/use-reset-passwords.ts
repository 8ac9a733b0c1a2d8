import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { resetPupilPassword, type GroupMember, type StudentCard } from '#contract/groups.ts';
import { formatCount, STUDENTS } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { problemMessage } from './messages.ts';
import { cardsKey } from './queries.ts';

export interface Reset {
  cards: readonly StudentCard[];
  /** Why some passwords were not reset; null: all were. */
  problem: string | null;
}

/** Resets passwords sequentially: those before a failure are still shown. */
async function resetAll(
  groupId: string,
  members: readonly GroupMember[],
  onStep: (done: number) => void,
): Promise<Reset> {
  const cards: StudentCard[] = [];
  for (const { userId } of members) {
    try {
      cards.push(await call(resetPupilPassword, { params: { groupId, userId } }));
    } catch (error) {
      if (cards.length === 0) throw error;
      const left = formatCount(members.length - cards.length, STUDENTS);
      return { cards, problem: `${problemMessage(error)} Осталось без новых карточек: ${left}.` };
    }
    onStep(cards.length);
  }
  return { cards, problem: null };
}

/** Resets passwords of students of one class; `done` counts the progress. */
export function useResetPasswords(groupId: string, onReset: (reset: Reset) => void) {
  const [done, setDone] = useState(0);
  const mutation = useMutation({
    mutationKey: cardsKey(groupId),
    mutationFn: (members: readonly GroupMember[]) => {
      setDone(0);
      return resetAll(groupId, members, setDone);
    },
    // The passwords must not stay in the mutation cache.
    gcTime: 0,
    onSuccess: onReset,
  });
  return { ...mutation, done };
}
