import { describe, expect, test } from 'vitest';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import type { Role } from '#contract/route.ts';
import { Refusal } from '#server/http/refusal.ts';
import {
  type AuthenticatedUser,
  CONFIRMED_MS,
  requireConfirmation,
  requireFactor,
  requireRole,
  sessionEnd,
} from './caller.ts';

const NOW = new Date('2026-03-02T06:00:00.000Z');
const DAY = 86_400_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

const caller = (of: Partial<AuthenticatedUser> = {}): AuthenticatedUser => ({
  userId: 'u1',
  userName: 'Анна',
  email: 'anna@school.test',
  role: ROLE.teacher,
  tokenHash: Buffer.alloc(32),
  expiresAt: later(DAY),
  confirmedAt: NOW,
  mustSetUpFactor: false,
  ...of,
});

/** The code of the refusal; null: it is allowed. */
function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

test.each<[Role, string[]]>([
  ['anyone', ['student', 'teacher', 'admin']],
  ['signedIn', ['student', 'teacher', 'admin']],
  ['teacher', ['teacher', 'admin']],
  ['admin', ['admin']],
])('a call for %s is open to %j alone', (access, open) => {
  const roles = Object.entries(ROLE);
  const allowed = roles.filter(
    ([, role]) => refusalOf(() => requireRole(caller({ role }), access)) === null,
  );
  expect(allowed.map(([name]) => name).toSorted()).toEqual(open.toSorted());
});

test('a sign-in ends at its expiry or after three days without use, whichever comes first', () => {
  expect(sessionEnd(later(7 * DAY), NOW)).toEqual(later(3 * DAY));
  expect(sessionEnd(later(2 * DAY), NOW)).toEqual(later(2 * DAY));
});

test('a proof of identity is valid for five minutes, the last moment included', () => {
  const after = (ms: number) =>
    refusalOf(() => requireConfirmation({ confirmedAt: NOW }, later(ms)));
  expect([after(CONFIRMED_MS), after(CONFIRMED_MS + 1)]).toEqual([null, 'CONFIRMATION_REQUIRED']);
  expect(CONFIRMED_MS).toBe(5 * 60_000);
});

test('a sign-in without a proof of identity is not confirmed', () => {
  expect(refusalOf(() => requireConfirmation({ confirmedAt: null }, NOW))).toBe(
    'CONFIRMATION_REQUIRED',
  );
});

describe('a call by a user who must set up a factor first', () => {
  const due = caller({ mustSetUpFactor: true });

  test('is refused', () => {
    expect(refusalOf(() => requireFactor(due, { ownership: 'none' }, NOW))).toBe(
      'SECOND_FACTOR_SETUP_REQUIRED',
    );
  });

  test('is accepted where it sets one up, and for answers of a running attempt', () => {
    expect(
      refusalOf(() => requireFactor(due, { ownership: 'none', beforeSetup: true }, NOW)),
    ).toBeNull();
    expect(refusalOf(() => requireFactor(due, { ownership: 'attemptOwner' }, NOW))).toBeNull();
  });
});

describe('a fresh proof of identity', () => {
  const stale = (role: RoleNumber) => caller({ role, confirmedAt: null });
  const check = (role: RoleNumber, confirmation?: 'everyone' | 'admin') =>
    refusalOf(() =>
      requireFactor(stale(role), { ownership: 'none', ...(confirmation && { confirmation }) }, NOW),
    );

  test('is required of everyone where the route says so', () => {
    expect(check(ROLE.teacher, 'everyone')).toBe('CONFIRMATION_REQUIRED');
    expect(check(ROLE.admin, 'everyone')).toBe('CONFIRMATION_REQUIRED');
  });

  test('is required of administrators alone where the route says so', () => {
    expect(check(ROLE.admin, 'admin')).toBe('CONFIRMATION_REQUIRED');
    expect(check(ROLE.teacher, 'admin')).toBeNull();
  });

  test('is required nowhere else', () => {
    expect(check(ROLE.admin)).toBeNull();
  });
});
