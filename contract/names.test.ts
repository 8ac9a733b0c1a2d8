import * as v from 'valibot';
import { expect, test } from 'vitest';
import { UserName } from './registration.ts';
import { GroupName, StudentName } from './groups.ts';

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
