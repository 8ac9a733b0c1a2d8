import { describe, expect, test } from 'vitest';
import { installationMatches } from './install.mjs';
import { nodeIsEnough } from './prepare.mjs';

describe('Node version', () => {
  test.each(['20.19.0', '20.20.2', '22.1.0', '24.0.0'])('%s is enough', (version) => {
    expect(nodeIsEnough(version)).toBe(true);
  });

  test.each(['18.20.4', '20.18.9', '16.0.0'])('%s is too old', (version) => {
    expect(nodeIsEnough(version)).toBe(false);
  });
});

describe('installed packages match the lockfile', () => {
  const wanted = {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/only-mac': { version: '2.0.0', optional: true },
  };

  test('when versions agree and only packages for other platforms are missing', () => {
    expect(installationMatches(wanted, { 'node_modules/a': { version: '1.0.0' } })).toBe(true);
  });

  test.each([
    ['nothing is installed', undefined],
    ['a package is missing', {}],
    ['a version differs', { 'node_modules/a': { version: '1.0.1' } }],
    [
      'a package is left over from another lockfile',
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } },
    ],
  ])('not when %s', (_, installed) => {
    expect(installationMatches(wanted, installed)).toBe(false);
  });
});
