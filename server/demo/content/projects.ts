/** A project of the demo's showcase; its files are in `server/demo/pictures`. */
export interface DemoProject {
  /** `project-<key>.png` and `project-<key>.pdf`. */
  readonly key: string;
  readonly owner: string;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly landingURL: string;
  readonly documentation: string;
  readonly views: number;
  /** How many gave five, four and three stars. */
  readonly stars: readonly [five: number, four: number, three: number];
}

const paragraphs = (...texts: readonly string[]) => texts.join('\n\n');

/** The newest first, with a week between two. */
export const demoProjects: readonly DemoProject[] = [
  {
    key: 'greenhouse',
    owner: 'Демидов Артём',
    name: 'Умная теплица',
    shortDescription:
      'Датчики влажности и света следят за рассадой, полив включается по расписанию, урожай попадает в журнал.',
    description: paragraphs(
      'Теплица стоит на подоконнике кабинета биологии. Два датчика измеряют влажность почвы, третий следит за светом, а насос поливает грядку утром и вечером.',
      'Каждый полив и каждый измеренный день попадают в журнал. По нему видно, сколько воды понадобилось салату и почему базилик рос медленнее.',
      'Собрано из учебного набора: плата, три датчика, насос и шесть метров трубки. Всё описано в документации, повторить можно за четыре урока.',
    ),
    landingURL: 'https://teplica.example/',
    documentation: 'Умная теплица.pdf',
    views: 312,
    stars: [12, 3, 0],
  },
  {
    key: 'excursions',
    owner: 'Егорова Полина',
    name: 'Карта школьных экскурсий',
    shortDescription:
      'Маршруты по городу с заданиями на каждой остановке: история, архитектура, биология.',
    description: paragraphs(
      'Восемь маршрутов на один урок и три на целый день. На каждой остановке есть задание, которое не выполнить, не оглядевшись: найти дату на фасаде, сосчитать виды деревьев, сравнить два здания.',
      'Карта печатается на одном листе, задания открываются по ссылке с телефона.',
    ),
    landingURL: 'https://marshruty.example/',
    documentation: 'Карта школьных экскурсий.pdf',
    views: 287,
    stars: [6, 4, 0],
  },
  {
    key: 'orbit',
    owner: 'Комаров Илья',
    name: 'Орбита',
    shortDescription:
      'Симулятор движения спутников для уроков физики и астрономии: меняйте скорость и массу.',
    description: paragraphs(
      'Спутник летит вокруг планеты по законам Ньютона, а вы меняете его скорость, высоту и массу планеты. Видно, когда круг становится эллипсом, а эллипс больше не замыкается.',
      'Есть три готовых опыта: первая космическая скорость, спутник на месте и облёт Луны. К каждому есть таблица для измерений.',
    ),
    landingURL: 'https://orbita.example/',
    documentation: 'Орбита.pdf',
    views: 540,
    stars: [18, 2, 0],
  },
  {
    key: 'pulse',
    owner: 'Сафина Камила',
    name: 'Пульс класса',
    shortDescription:
      'Ежедневные короткие опросы о самочувствии и нагрузке, сводка для классного руководителя.',
    description: paragraphs(
      'Три вопроса в день, ответ занимает полминуты. Имён в сводке нет: классный руководитель видит, в какие дни устаёт весь класс и сколько времени уходит на домашние задания.',
      'За две четверти по сводке сдвинули две контрольные, которые стояли в один день.',
    ),
    landingURL: 'https://puls.example/',
    documentation: 'Пульс класса.pdf',
    views: 96,
    stars: [3, 6, 1],
  },
  {
    key: 'workshop',
    owner: 'Преображенская Елизавета',
    name: 'Открытая мастерская',
    shortDescription: 'Запись на станки, инструкции по технике безопасности, складской учёт.',
    description: paragraphs(
      'На станок записываются на перемене. Перед первой работой нужно пройти короткую инструкцию по технике безопасности: без неё запись закрыта.',
      'Материалы учитываются при выдаче, поэтому видно, когда пора заказать фанеру.',
    ),
    landingURL: 'https://masterskaya.example/',
    documentation: 'Открытая мастерская.pdf',
    views: 151,
    stars: [2, 3, 0],
  },
  {
    key: 'ornament',
    owner: 'Хасанов Тимур',
    name: 'Узор',
    shortDescription: 'Генератор орнаментов народов России для уроков изобразительного искусства.',
    description: paragraphs(
      'Орнамент строится из простых клеток по правилам симметрии: перенос, поворот, отражение. Можно начать с мотива одного из двенадцати народов или нарисовать свой.',
      'Готовый узор печатается на листе или вырезается на станке в мастерской.',
    ),
    landingURL: 'https://uzor.example/',
    documentation: 'Узор.pdf',
    views: 203,
    stars: [7, 3, 0],
  },
];
