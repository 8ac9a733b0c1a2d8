import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { WIRE_VERSION } from '#contract/version.ts';
import type { ReplyFacts } from './facts.ts';
import { ApiFailure } from './failure.ts';
import { createCaller, type CallerConfig, type CallOptions, type CallReply } from './request.ts';

/** The page's own way to the server. The outbox and the worker make callers of their own. */

/** Origin of the backend; empty: the page's own. */
const BASE_URL: string = import.meta.env['VITE_API_BASE_URL'] ?? '';

type ReplyListener = (facts: ReplyFacts) => void;
type FailureListener = (failure: ApiFailure, route: Route) => void;

const replyListeners = new Set<ReplyListener>();
const failureListeners = new Set<FailureListener>();
let tokenSource: () => string | null = () => null;

/** What every way of the page to the server shares. */
export const pageConfig: CallerConfig = {
  baseUrl: BASE_URL,
  appVersion: String(WIRE_VERSION),
  token: () => tokenSource(),
  onReply: (facts) => replyListeners.forEach((listener) => listener(facts)),
  onFailure: (failure, route) => failureListeners.forEach((listener) => listener(failure, route)),
};
const caller = createCaller(pageConfig);

/** Where the bearer of the page's calls comes from. */
export function setTokenSource(source: () => string | null): void {
  tokenSource = source;
}

/** Hears the protocol's headers of every reply of our server. Returns the way to stop. */
export function onReply(listener: ReplyListener): () => void {
  replyListeners.add(listener);
  return () => replyListeners.delete(listener);
}

/** Hears every failed call, a 401 among them. Returns the way to stop. */
export function onFailure(listener: FailureListener): () => void {
  failureListeners.add(listener);
  return () => failureListeners.delete(listener);
}

/** Lets the person prove who he is; false: he did not. */
type ConfirmationPrompt = () => Promise<boolean>;
let confirmationPrompt: ConfirmationPrompt | null = null;

/** Says who asks for a proof before what cannot be taken back. Returns the way to stop. */
export function setConfirmationPrompt(prompt: ConfirmationPrompt): () => void {
  confirmationPrompt = prompt;
  return () => {
    if (confirmationPrompt === prompt) confirmationPrompt = null;
  };
}

const needsConfirmation = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'CONFIRMATION_REQUIRED';

/** Calls a route and gives its parsed reply. A call that needs a proof is made again after it. Throws `ApiFailure`. */
export async function call<const R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: CallOptions,
): Promise<ReplyOf<R>> {
  try {
    return (await caller(route, input, options)).reply;
  } catch (error) {
    if (!needsConfirmation(error) || !(await confirmationPrompt?.())) throw error;
    return (await caller(route, input, options)).reply;
  }
}

/** As `call`, with status, headers and the protocol's facts. */
export function callWithFacts<const R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: CallOptions,
): Promise<CallReply<R>> {
  return caller(route, input, options);
}
