/** The password of every demo account. */
export const DEMO_PASSWORD = 'Demo2026';

export interface DemoPerson {
  readonly email: string;
  readonly userName: string;
  readonly role: 'student' | 'teacher' | 'admin';
}

const staff: readonly DemoPerson[] = [
  { email: 'admin@demo.ru', userName: 'Администратор школы', role: 'admin' },
  { email: 'teacher@demo.ru', userName: 'О. В. Лаптева', role: 'teacher' },
  { email: 'belova@demo.ru', userName: 'Т. А. Белова', role: 'teacher' },
  { email: 'yusupova@demo.ru', userName: 'К. Р. Юсупова', role: 'teacher' },
  { email: 'tsoy@demo.ru', userName: 'В. Н. Цой', role: 'teacher' },
];

/** student01 … student30, by surname. */
const CLASSMATES = [
  'Абрамов Лев',
  'Алиева Амина',
  'Баранова Софья',
  'Белов Тимофей',
  'Васильева Ева',
  'Гаврилов Марк',
  'Григорьева Алиса',
  'Демидов Артём',
  'Егорова Полина',
  'Ефимов Роман',
  'Жуков Даниил',
  'Зайцева Варвара',
  'Иванов Кирилл',
  'Калинина Мария',
  'Комаров Илья',
  'Лебедев Матвей',
  'Макарова Дарья',
  'Мельников Егор',
  'Никитина Ульяна',
  'Орлов Степан',
  'Павлова Вероника',
  'Преображенская Елизавета',
  'Родионов Глеб',
  'Сафина Камила',
  'Соколов Михаил',
  'Тарасова Василиса',
  'Фёдоров Никита',
  'Хасанов Тимур',
  'Шевчук Арина',
  'Яковлева Ксения',
] as const;

export const demoStudents: readonly DemoPerson[] = [
  { email: 'student@demo.ru', userName: 'Анна Кузнецова', role: 'student' },
  ...CLASSMATES.map((userName, index): DemoPerson => ({
    email: classmate(index + 1),
    userName,
    role: 'student',
  })),
];

export const demoPeople: readonly DemoPerson[] = [...staff, ...demoStudents];

export const demoClass = {
  name: '9А',
  owner: 'teacher@demo.ru',
  /** The join code, for `/join/…`. */
  joinCode: 'HK4M7TX2',
  members: demoStudents.map(({ email }) => email),
} as const;

/** The e-mail of student01 … student30. */
export function classmate(number: number): string {
  return `student${String(number).padStart(2, '0')}@demo.ru`;
}
