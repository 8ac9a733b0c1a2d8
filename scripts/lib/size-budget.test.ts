import { describe, expect, test } from 'vitest';
import {
  answerBudget,
  budget,
  firstScript,
  grownScreens,
  loadedFiles,
  namedFiles,
  printBudget,
  routeFiles,
} from './size-budget.mjs';

const tree = `
import { Route as rootRouteImport } from './routes/__root.tsx';
import { Route as AppRouteImport } from './routes/_app.tsx';
import { Route as LoginRouteImport } from './routes/login.tsx';
import { Route as AppTestsTestIdIndexRouteImport } from './routes/_app/tests/$testId.index.tsx';
const AppRoute = AppRouteImport.update({
  id: '/_app',
  getParentRoute: () => rootRouteImport,
} as any);
const LoginRoute = LoginRouteImport.update({
  id: '/login',
  path: '/login',
  getParentRoute: () => rootRouteImport,
} as any);
const AppTestsTestIdIndexRoute = AppTestsTestIdIndexRouteImport.update({
  id: '/tests/$testId/',
  path: '/tests/$testId/',
  getParentRoute: () => AppRoute,
} as any);
export interface FileRoutesByTo {
  '/login': typeof LoginRoute;
  '/tests/$testId': typeof AppTestsTestIdIndexRoute;
}
`;

describe('files of a page', () => {
  test('are its route and the layouts around it', () => {
    expect(routeFiles(tree, '/tests/$testId')).toEqual([
      'src/routes/_app/tests/$testId.index.tsx',
      'src/routes/_app.tsx',
      'src/routes/__root.tsx',
    ]);
  });

  test('a page that is gone fails instead of weighing nothing', () => {
    expect(() => routeFiles(tree, '/gone')).toThrow('/gone');
  });

  test('a page without a script fails instead of weighing nothing', () => {
    expect(() => namedFiles('<link rel="stylesheet" href="/assets/app.css">')).toThrow();
  });

  test('are named by the page, its icons left out', () => {
    const html = `<link rel="icon" href="/favicon.svg">
      <script type="module" crossorigin src="/assets/libraries.js"></script>
      <link rel="modulepreload" crossorigin href="/assets/app.js">
      <link rel="stylesheet" crossorigin href="/assets/app.css">`;
    expect(namedFiles(html)).toEqual(['assets/libraries.js', 'assets/app.js', 'assets/app.css']);
  });

  test('hold the scripts of the page, a split screen and static imports, and no dynamic import', () => {
    const manifest = {
      '_entry.js': { file: 'assets/entry.js', css: ['assets/entry.css'] },
      'src/routes/login.tsx?tsr-split=component': {
        file: 'assets/login.js',
        imports: ['_shared.js'],
        dynamicImports: ['katex.mjs'],
      },
      'src/routes/admin.tsx?tsr-split=component': { file: 'assets/admin.js' },
      '_shared.js': { file: 'assets/shared.js', css: ['assets/shared.css'] },
      'katex.mjs': { file: 'assets/katex.js' },
    };
    const files = loadedFiles(manifest, ['assets/entry.js'], ['src/routes/login.tsx']);
    expect([...files].sort()).toEqual([
      'assets/entry.css',
      'assets/entry.js',
      'assets/login.js',
      'assets/shared.css',
      'assets/shared.js',
    ]);
  });
});

describe('the budget', () => {
  test.each([
    [budget, answerBudget, true],
    [budget + 1, answerBudget, false],
    [budget, answerBudget + 1, false],
  ])('%i bytes of a first visit and %i until an answer fit: %s', (visit, until, fits) => {
    const first = [{ file: 'assets/entry.js', bytes: visit }];
    const answer = [{ file: 'assets/device.js', bytes: until }];
    expect(printBudget({ first, answer }, () => undefined)).toBe(fits);
  });

  test('the script that runs first is named by the page', () => {
    expect(firstScript('<script src="/start.js" data-app="/assets/a.js"></script>')).toBe(
      'assets/a.js',
    );
    expect(() => firstScript('<script src="/start.js"></script>')).toThrow();
  });
});

test('a screen that grew by more than a tenth is named, a new one and a small growth are not', () => {
  const before = { '/a': 20_000, '/b': 20_000, '/c': 500 };
  const screens = { '/a': 22_100, '/b': 21_900, '/c': 1_400, '/new': 90_000 };
  expect(grownScreens(screens, before)).toEqual(['Экран /a стал тяжелее: 19,5 КБ → 21,6 КБ']);
});
