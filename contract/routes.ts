import {
  addTime,
  decideHeld,
  deleteAttempt,
  gradeItem,
  listHeld,
  restoreAttempt,
} from './attempts.ts';
import { currentUser, listUsers, login, logout, register } from './auth.ts';
import { getFile } from './files.ts';
import { health, readiness } from './health.ts';
import {
  finishAttempt,
  getSavedAnswers,
  getUpload,
  saveAnswer,
  startAttempt,
  uploadChunk,
} from './passing.ts';
import { getResult, listResults } from './results.ts';
import type { Route } from './route.ts';
import { getPassing, getTest, getTestDetails, listMyTests } from './tests.ts';

/** Every call of the wire. A handler for a route that is not here cannot be registered. */
export const routes: readonly Route[] = [
  login,
  register,
  logout,
  currentUser,
  listUsers,
  listMyTests,
  getTestDetails,
  getTest,
  getPassing,
  listResults,
  getResult,
  startAttempt,
  saveAnswer,
  finishAttempt,
  getSavedAnswers,
  uploadChunk,
  getUpload,
  addTime,
  listHeld,
  decideHeld,
  gradeItem,
  deleteAttempt,
  restoreAttempt,
  getFile,
  health,
  readiness,
];
