import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ScriptError, inProject, say } from './project.mjs';

const path = inProject('.cache', 'prepare.lock');

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;

const holderIsAlive = () => {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

const take = () => {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new ScriptError(
      `В папку проекта нельзя писать (${path}). Склонируйте проект в свою папку от своего имени.`,
    );
  }
};

/**
 * Two commands started at once must not install or build over each other.
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export const withLock = async (body) => {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch {
    // The same refusal comes from take(), with words.
  }
  let hasWarned = false;
  while (!take()) {
    if (!holderIsAlive()) {
      rmSync(path, { force: true });
      continue;
    }
    if (!hasWarned) say('Ждём: другая команда сейчас устанавливает или собирает проект.');
    hasWarned = true;
    await wait(300);
  }
  try {
    return await body();
  } finally {
    rmSync(path, { force: true });
  }
};
