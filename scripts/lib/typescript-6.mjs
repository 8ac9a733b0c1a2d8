import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Stryker calls TypeScript's JavaScript API, which TypeScript 7 lacks: inside Stryker's processes «typescript» is
// version 6.
if (isMainThread) register(import.meta.url);

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? '@typescript/typescript6' : specifier, context);
