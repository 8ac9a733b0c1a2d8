import { ROLE } from '#contract/auth.ts';
import type { Caller } from '#server/auth/caller.ts';

/**
 * Whether an attempt that this person begins is a trial: teachers and administrators look at a test by
 * taking it. Decided at the start and stored, so that a later change of the role leaves what was.
 */
export const isTrialOf = ({ role }: Pick<Caller, 'role'>): boolean => role !== ROLE.student;

/** Whether attempt `x` is looked at: no trial, or the boolean parameter named asks for trials too. */
export const unlessTrial = (trials: string) => `(${trials}::boolean or not x.trial)`;
