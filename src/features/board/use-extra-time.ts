import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { addTimeToMany } from '#contract/board.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import type { Grant } from './extra-time.ts';

/** Adds minutes; a repeat of the same request reuses its idempotency key, so a lost reply is harmless. */
export function useGrant(testId: string) {
  const last = useRef({ wanted: '', key: '' });
  return useMutation({
    mutationFn: (grant: Omit<Grant, 'key'>) => {
      const wanted = JSON.stringify(grant);
      if (last.current.wanted !== wanted) last.current = { wanted, key: newId() };
      const body = { key: last.current.key, ...grant };
      return call(addTimeToMany, { params: { id: testId }, body });
    },
  });
}

/** Why no time was added. Without a reply of the server the time may have been added. */
export const describeGrantFailure = (error: unknown): string =>
  error instanceof ApiFailure && error.kind !== 'refused'
    ? `${describeFailure(error)} Нажмите ещё раз: дважды время не прибавится.`
    : describeFailure(error);
