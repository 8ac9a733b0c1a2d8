import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { UserName } from './registration.ts';
import { TestName } from './authoring.ts';
import { GroupName, StudentName } from './groups.ts';
import { ProjectName } from './projects.ts';
import { PasskeyName } from './second-factor.ts';

const faultOf = (schema: v.GenericSchema, name: string) =>
  v.safeParse(schema, name).issues?.map(({ message }) => message)[0];

test.each([UserName, GroupName, StudentName])(
  'the length of a name is limited before it is cleaned',
  (schema) => {
    for (const name of ['Мария  Иванова\u200B', 'Nguye\u0302\u0303n', `${' '.repeat(400)}Ада`])
      expect(faultOf(schema, name)).toBeUndefined();
    expect(faultOf(schema, 'а'.repeat(101))).toMatch(/длинн/);
    expect(faultOf(schema, ' '.repeat(1_001))).toMatch(/длинн/);
    expect(faultOf(schema, `a${'\u0301\u0323'.repeat(10)}`)).toBe(
      'Слишком много знаков над одной буквой. Уберите лишние',
    );
  },
);

describe.each([
  ['a person', UserName],
  ['a student', StudentName],
  ['a class', GroupName],
  ['a test', TestName],
  ['a project', ProjectName],
  ['a passkey', PasskeyName],
])('the name of %s', (_, schema) => {
  test('is refused if nothing of it is seen', () => {
    for (const name of ['', '  ', '\u200B', '\uFEFF \u2060', '\u202E\u0000'])
      expect(faultOf(schema, name)).toMatch(/[а-я]/);
  });

  test('loses what is not seen', () => {
    expect(v.parse(schema, ' Анна\u200B \t \u202EЕгорова\u00AD\n')).toBe('Анна Егорова');
  });
});
