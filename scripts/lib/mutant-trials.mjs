import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ mutant: string, test: string, noticed: 'failed' | 'timeout' | null }} Trial
 * @typedef {Trial | { refused: string[] } | { unrepeatable: string } | { done: true, atImport: string[] }} Line
 * one line of the file of trials; refused: changes that TypeScript refuses, which no test tries; atImport: changes that
 * run while a module loads, when no test runs yet
 */

/** What the runs of one part have found so far; empty before the first. @param {string} path @returns {Line[]} */
export const readTrials = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
