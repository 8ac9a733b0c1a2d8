import { ROLE } from '#contract/auth.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';

/**
 * Whether an attempt that this person starts is a trial: teachers and administrators preview a test by passing
 * it. Decided at the start and stored, so that a later change of the role does not affect it.
 */
export const isTrialOf = ({ role }: Pick<AuthenticatedUser, 'role'>): boolean =>
  role !== ROLE.student;

/** Whether attempt `x` is included: it is no trial, or the named boolean parameter includes trials. */
export const unlessTrial = (trials: string) => `(${trials}::boolean or not x.trial)`;
