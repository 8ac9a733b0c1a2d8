import { expect, test } from 'vitest';
import { isUnfinished } from './status.ts';

test('a test with ended attempts is unfinished unless one runs, is checked or was passed', () => {
  expect(['overdue', 'closed', 'available', 'scheduled'].map(isUnfinished)).not.toContain(false);
  expect(['inProgress', 'pendingReview', 'passed'].map(isUnfinished)).not.toContain(true);
});
