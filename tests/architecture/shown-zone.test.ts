import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProject } from '#scripts/lib/project.mjs';

/** Screens of students; one of the projects' screens is for administrators alone. */
const STUDENTS = ['features/library', 'features/passing', 'features/profile', 'features/projects']
  .concat(['features/results', 'features/session', 'offline', 'lib', 'ui', 'routes/-shell'])
  .map((folder) => `src/${folder}`);
const OTHERS = /AdminProjectsPage\.tsx$|lib\/device-services\.ts$|\.test\.tsx?$/;

test('every student screen gets the time zone from useShownZone, which names it where it differs', () => {
  const found = STUDENTS.flatMap((folder) =>
    readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => /\.tsx?$/.test(path) && !OTHERS.test(path))
      .filter((path) =>
        /\{[^{}]*\btimeZone\b[^{}]*\} = useDevice\(\)|useDevice\(\)\.timeZone/.test(
          readFileSync(inProject(path), 'utf8'),
        ),
      ),
  );
  expect(found).toEqual([]);
});
