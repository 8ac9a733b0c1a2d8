import type { Route } from '#contract/route.ts';
import { EVERYBODY, type Who } from './calls.ts';

/** Whether the call is allowed; 401 no sign-in, 403 not this role, 404 not the owner. */
type Expected = 'in' | 401 | 403 | 404;

const TEACHERS: ReadonlySet<Who> = new Set(['teacher', 'otherTeacher', 'admin']);
const MAY_TOUCH: Readonly<Record<Route['ownership'], ReadonlySet<Who>>> = {
  none: new Set(EVERYBODY),
  attemptOwner: new Set<Who>(['student']),
  attemptReader: new Set<Who>(['student', 'teacher', 'admin']),
  attemptGrader: new Set<Who>(['teacher', 'admin']),
  attemptEditor: new Set<Who>(['teacher', 'admin']),
  offerOwner: new Set<Who>(['student']),
  testReader: new Set<Who>(['student', 'teacher', 'admin']),
  testViewer: new Set<Who>(['teacher', 'admin']),
  testGrader: new Set<Who>(['teacher', 'admin']),
  testEditor: new Set<Who>(['teacher', 'admin']),
  bodyTestEditor: new Set<Who>(['teacher', 'admin']),
  testOwner: new Set<Who>(['teacher', 'admin']),
  groupEditor: new Set<Who>(['teacher', 'admin']),
  groupOwner: new Set<Who>(['teacher', 'admin']),
  bankOwner: new Set<Who>(['teacher']),
  templateOwner: new Set<Who>(['teacher']),
  projectEditor: new Set<Who>(['student', 'admin']),
  bodyProjectEditor: new Set<Who>(['student', 'admin']),
  ownSession: new Set<Who>(['student']),
  ownPasskey: new Set<Who>(['teacher']),
  file: new Set<Who>(['student', 'teacher', 'admin']),
};

/** Those who may read a test without passing it. */
const REFUSED_AS_NO_STUDENT = new Set(
  ['startAttempt', 'makeOffer', 'reportReadiness'].flatMap((name) => [
    `${name}/teacher`,
    `${name}/admin`,
  ]),
);

export function expectedOf(route: Route, who: Who): Expected {
  if (route.access === 'anyone') return 'in';
  if (who === 'none') return 401;
  if (route.access === 'admin' && who !== 'admin') return 403;
  if (route.access === 'teacher' && !TEACHERS.has(who)) return 403;
  if (REFUSED_AS_NO_STUDENT.has(`${route.name}/${who}`)) return 403;
  return MAY_TOUCH[route.ownership].has(who) ? 'in' : 404;
}
