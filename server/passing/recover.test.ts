import { expect, test } from 'vitest';
import { isOutdone } from './recover.ts';

const digest = Buffer.from('one body');
const known = { kind: 'answer', outcome: 'held', decision: null, bodyDigest: digest } as const;
const finish = { ...known, kind: 'finish' } as const;

test.each([
  ['a held answer by one that counted', known, 'stored', true],
  ['a held answer by one that was overtaken', known, 'superseded', true],
  ['a held answer by one that was held', known, 'held', false],
  ['an overtaken answer by nothing', { ...known, outcome: 'superseded' }, 'stored', false],
  ['a counting answer by nothing', { ...known, outcome: 'stored' }, 'superseded', false],
  ['a counting answer not by one that was held', { ...known, outcome: 'stored' }, 'held', false],
  [
    'an overtaken finish by the one that ended',
    { ...finish, outcome: 'superseded' },
    'stored',
    true,
  ],
  ['an overtaken finish not by its own kind', { ...finish, outcome: 'superseded' }, 'held', false],
  ['a held finish by the one that ended', finish, 'stored', true],
  ['a counting finish by nothing', { ...finish, outcome: 'stored' }, 'superseded', false],
] as const)('%s is outdone', (_what, journalled, outcome, expected) => {
  expect(isOutdone(journalled, { digest }, { outcome })).toBe(expected);
});

test('neither what the teacher decided nor another body is outdone', () => {
  const stored = { outcome: 'stored' } as const;
  expect(isOutdone({ ...known, decision: 'refused' }, { digest }, stored)).toBe(false);
  expect(isOutdone(known, { digest: Buffer.from('another') }, stored)).toBe(false);
});
