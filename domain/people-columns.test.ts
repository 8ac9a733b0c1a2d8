import { describe, expect, test } from 'vitest';
import { findPeopleHeads, formatFullName, listUnread } from './people-columns.ts';

const heads = (...cells: string[]) => findPeopleHeads([cells])?.columns ?? null;

describe('heads of a list of people', () => {
  test('three columns of a name are joined as surname, name, patronymic, in whatever order they stand', () => {
    const columns = heads('Отчество (при наличии)', 'Имя', 'Класс', 'Фамилия', 'E-mail');
    expect(columns).toMatchObject({
      patronymic: 0,
      givenName: 1,
      className: 2,
      surname: 3,
      email: 4,
    });
    expect(
      columns && formatFullName(['Олеговна', ' Мария ', '9А', 'Сёмина', 'a@b.ru'], columns),
    ).toBe('Сёмина Мария Олеговна');
  });

  test.each([
    ['Фамилия, имя'],
    ['ФИО'],
    ['Ф. И. О. учащегося'],
    ['Фамилия Имя Отчество'],
    ['Ученик'],
    ['Full name'],
  ])('«%s» is a whole name', (head) => {
    expect(heads('№ п/п', head, 'Класс')).toMatchObject({ userName: 1, number: 0, className: 2 });
  });

  test('«Имя» alone is a whole name, beside «Фамилия» a part of one', () => {
    expect(heads('Имя', 'Почта')).toMatchObject({ userName: 0, givenName: null });
    expect(heads('Имя', 'Фамилия')).toMatchObject({ userName: null, givenName: 0, surname: 1 });
    expect(heads('Фамилия', 'Имя, отчество')).toMatchObject({ surname: 0, givenName: 1 });
  });

  test('parents’ columns are not used as name or e-mail', () => {
    expect(heads('ФИО', 'ФИО родителя', 'Почта мамы', 'Электронная почта')).toMatchObject({
      userName: 0,
      email: 3,
    });
  });

  test('stand under title rows, the row that names most columns', () => {
    const found = findPeopleHeads([
      ['Список класса', '', ''],
      ['Класс', '9А', ''],
      ['№', 'Фамилия', 'Имя'],
      ['1', 'Иванова', 'Мария'],
    ]);
    expect(found).toMatchObject({ row: 2, columns: { surname: 1, givenName: 2 } });
  });

  test('are not found beyond the tenth row, nor in rows of people', () => {
    const titles = Array.from({ length: 10 }, () => ['Школа']);
    expect(findPeopleHeads([...titles, ['Имя', 'Почта']])).toBeNull();
    expect(findPeopleHeads([['Анна Иванова', 'anna@school.ru', 'ученик']])).toBeNull();
    expect(findPeopleHeads([['Анна Иванова', 'ученик']])).toBeNull();
  });
});

test('columns that are not read are named, those without a head by their number', () => {
  const rows = [
    ['№ п/п', 'ФИО', 'Дата рождения', '', 'ФИО', ''],
    ['1', 'Иванова Мария', '12.03.2010', 'да', 'ИМ', ''],
  ];
  const found = findPeopleHeads(rows);
  expect(found && listUnread(rows, found, ['userName'])).toEqual([
    '«№ п/п»',
    '«Дата рождения»',
    'столбец 4 без названия',
    '«ФИО» (столбец 5)',
  ]);
});
