import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { WIRE_VERSION } from '#contract/version.ts';
import type { CallerConfig } from './exchange.ts';
import type { ReplyFacts } from './facts.ts';
import { isRefusal, type ApiFailure } from './failure.ts';
import { createCaller, type CallOptions, type CallReply } from './request.ts';

/** The page's API client. The outbox and the worker create their own callers. */

/** Origin of the backend; empty: the page's own. */
const BASE_URL: string = import.meta.env['VITE_API_BASE_URL'] ?? '';

type ReplyListener = (facts: ReplyFacts) => void;
type FailureListener = (failure: ApiFailure, route: Route) => void;

const replyListeners = new Set<ReplyListener>();
const failureListeners = new Set<FailureListener>();
let tokenSource: () => string | null = () => null;

/** Configuration shared by all callers of the page. */
export const pageConfig: CallerConfig = {
  baseUrl: BASE_URL,
  appVersion: String(WIRE_VERSION),
  token: () => tokenSource(),
  onReply: (facts) => replyListeners.forEach((listener) => listener(facts)),
  onFailure: (failure, route) => failureListeners.forEach((listener) => listener(failure, route)),
};
const caller = createCaller(pageConfig);

/** Sets the source of the bearer token of the page's calls. */
export function setTokenSource(source: () => string | null): void {
  tokenSource = source;
}

/** Subscribes to the protocol's headers of every reply of our server. Returns the unsubscribe function. */
export function onReply(listener: ReplyListener): () => void {
  replyListeners.add(listener);
  return () => replyListeners.delete(listener);
}

/** Subscribes to every failed call, 401 included. Returns the unsubscribe function. */
export function onFailure(listener: FailureListener): () => void {
  failureListeners.add(listener);
  return () => failureListeners.delete(listener);
}

/** Requests a confirmation from the user; false: cancelled. */
type ConfirmationPrompt = () => Promise<boolean>;
let confirmationPrompt: ConfirmationPrompt | null = null;

/** Sets the confirmation prompt for irreversible actions. Returns the function that removes it. */
export function setConfirmationPrompt(prompt: ConfirmationPrompt): () => void {
  confirmationPrompt = prompt;
  return () => {
    if (confirmationPrompt === prompt) confirmationPrompt = null;
  };
}

/** Runs an exchange; one that needs a confirmation is repeated after it. */
export async function withConfirmation<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isRefusal(error, 'CONFIRMATION_REQUIRED') || !(await confirmationPrompt?.())) throw error;
    return run();
  }
}

/** Calls a route and returns its parsed reply. A call that needs a confirmation is repeated after it. Throws `ApiFailure`. */
export function call<const R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: CallOptions,
): Promise<ReplyOf<R>> {
  return withConfirmation(async () => (await caller(route, input, options)).reply);
}

/** Like `call`, with status, headers and the protocol's facts. */
export function callWithFacts<const R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: CallOptions,
): Promise<CallReply<R>> {
  return caller(route, input, options);
}
