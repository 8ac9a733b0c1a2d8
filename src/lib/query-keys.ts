/**
 * The keys by which queries are invalidated together. A query's own key begins with one of them, so that invalidating
 * `queryKeys.tests` reaches every query about tests.
 */
export const queryKeys = {
  tests: ['tests'],
  myTests: ['tests', 'my'],
  createdTests: ['tests', 'created'],
  bank: ['tests', 'bank'],
  results: ['results'],
  groups: ['groups'],
  people: ['people'],
  users: ['users'],
  audit: ['audit'],
  projectLists: ['projects', 'list'],
  grading: (testId: string) => ['tests', 'grading', testId] as const,
  project: (id: string) => ['projects', 'details', id] as const,
  projectFiles: (id: string) => ['projects', 'files', id] as const,
  /** The two that survive the page (specification, section 7). */
  passing: (attemptId: string) => [PASSING, attemptId] as const,
  savedAnswers: (attemptId: string) => [SAVED_ANSWERS, attemptId] as const,
} as const;

export const PASSING = 'test/passing';
export const SAVED_ANSWERS = 'test/savedAnswers';
