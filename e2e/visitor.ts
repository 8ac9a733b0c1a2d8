import type { Page } from '@playwright/test';
import type { SignedIn } from '#contract/auth.ts';
import { openSession } from '#server/auth/sessions.ts';
import type { Person, TestSchool } from './test-school.ts';

const A_DAY_S = 86_400;

/** A session of the person on the server, as a sign-in creates it; valid for `seconds` from now. */
export function openSignIn(
  school: TestSchool,
  person: Person,
  seconds = A_DAY_S,
): Promise<SignedIn> {
  const { userId: id, email, userName, role } = person;
  const row = { id, email, user_name: userName, role };
  return openSession(school.pool, row, new Date(), seconds / A_DAY_S);
}

/** Stores in the browser the data of a sign-in, before the app opens. */
export async function remember(page: Page, school: TestSchool, signedIn: SignedIn): Promise<void> {
  // A page of the same origin that runs nothing of the app.
  await page.goto(`${school.network.url}/favicon.svg`);
  await page.evaluate(({ token, expiresAt, user }) => {
    localStorage.setItem('session', JSON.stringify({ expiresAt, user }));
    localStorage.setItem('token', token);
  }, signedIn);
}

/** Signs in without the sign-in screen, for journeys about something else. */
export async function signIn(page: Page, school: TestSchool, person: Person): Promise<SignedIn> {
  const signedIn = await openSignIn(school, person);
  await remember(page, school, signedIn);
  return signedIn;
}

/** The path of the page shown, with its search. */
export const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
};
