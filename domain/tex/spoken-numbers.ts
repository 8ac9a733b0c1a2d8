import { plural } from '#domain/format.ts';
import type { TexNode } from './tree.ts';

/** Denominators: for one part, for several. */
const PARTS: Readonly<Record<string, readonly [string, string]>> = {
  2: ['вторая', 'вторых'],
  3: ['третья', 'третьих'],
  4: ['четвёртая', 'четвёртых'],
  5: ['пятая', 'пятых'],
  6: ['шестая', 'шестых'],
  7: ['седьмая', 'седьмых'],
  8: ['восьмая', 'восьмых'],
  9: ['девятая', 'девятых'],
  10: ['десятая', 'десятых'],
  100: ['сотая', 'сотых'],
  1000: ['тысячная', 'тысячных'],
};
const COUNTED = ['', 'одна', 'две', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять'];
const MAX_NUMERATOR = 20;

const numberIn = (node: TexNode): string => (node.kind === 'number' ? node.text : '');

/** «три четвёртых»; null: it is no fraction of small numbers. */
export function speakSimpleFraction(top: TexNode, bottom: TexNode): string | null {
  const parts = PARTS[numberIn(bottom)];
  const count = numberIn(top);
  if (!parts || !/^\d+$/.test(count) || Number(count) === 0 || Number(count) > MAX_NUMERATOR)
    return null;
  return `${COUNTED[Number(count)] ?? count} ${Number(count) === 1 ? parts[0] : parts[1]}`;
}

/** «2 целых», «1 целая». */
export const speakWhole = (count: string): string =>
  `${count} ${plural(Number(count), ['целая', 'целых', 'целых'])}`;

/** Units: for one, for two, for five, «в …» or «на …». */
const UNIT_LIST = `
м метр метра метров метр
см сантиметр сантиметра сантиметров сантиметр
мм миллиметр миллиметра миллиметров миллиметр
дм дециметр дециметра дециметров дециметр
км километр километра километров километр
нм нанометр нанометра нанометров нанометр
с секунда секунды секунд секунду
мс миллисекунда миллисекунды миллисекунд миллисекунду
мин минута минуты минут минуту
ч час часа часов час
сут сутки суток суток сутки
г грамм грамма граммов грамм
кг килограмм килограмма килограммов килограмм
мг миллиграмм миллиграмма миллиграммов миллиграмм
т тонна тонны тонн тонну
ц центнер центнера центнеров центнер
л литр литра литров литр
мл миллилитр миллилитра миллилитров миллилитр
га гектар гектара гектаров гектар
Н ньютон ньютона ньютонов ньютон
кН килоньютон килоньютона килоньютонов килоньютон
Дж джоуль джоуля джоулей джоуль
кДж килоджоуль килоджоуля килоджоулей килоджоуль
МДж мегаджоуль мегаджоуля мегаджоулей мегаджоуль
Вт ватт ватта ватт ватт
кВт киловатт киловатта киловатт киловатт
В вольт вольта вольт вольт
кВ киловольт киловольта киловольт киловольт
А ампер ампера ампер ампер
мА миллиампер миллиампера миллиампер миллиампер
Ом ом ома ом ом
Ω ом ома ом ом
Гц герц герца герц герц
кГц килогерц килогерца килогерц килогерц
МГц мегагерц мегагерца мегагерц мегагерц
Па паскаль паскаля паскалей паскаль
кПа килопаскаль килопаскаля килопаскалей килопаскаль
МПа мегапаскаль мегапаскаля мегапаскалей мегапаскаль
К кельвин кельвина кельвинов кельвин
Кл кулон кулона кулонов кулон
Тл тесла теслы тесл теслу
Вб вебер вебера веберов вебер
Гн генри генри генри генри
Ф фарад фарада фарад фарад
моль моль моля молей моль
эВ электронвольт электронвольта электронвольт электронвольт
% процент процента процентов процент
° градус градуса градусов градус
'' секунда секунды секунд секунду
' минута минуты минут минуту
рад радиан радиана радиан радиан
бит бит бита бит бит
байт байт байта байт байт
руб рубль рубля рублей рубль
₽ рубль рубля рублей рубль`;

const UNITS: ReadonlyMap<string, readonly string[]> = new Map(
  UNIT_LIST.trim()
    .split('\n')
    .map((line): [string, string[]] => {
      const [name = '', ...forms] = line.split(' ');
      return [name, forms];
    }),
);

/** For a unit of time it is «в секунду», for any other «на литр». */
const TIMES = new Set(['с', 'мс', 'мин', 'ч', 'сут']);

const unitOf = (text: string) => UNITS.get(text.replace(/\.$/, ''));

/** A unit after its number, such as «м/с»; null: it is none. */
export function speakUnit(number: string, text: string): string | null {
  const [first = '', second, third] = text.trim().split('/');
  const forms = unitOf(first.trim());
  if (!forms || third !== undefined) return null;
  const [one = '', few = '', many = ''] = forms;
  const value = Number(number.replace(',', '.'));
  const counted = plural(Number.isNaN(value) ? 5 : value, [one, few, many]);
  if (second === undefined) return counted;
  const per = speakPer(second);
  return per === null ? null : `${counted} ${per}`;
}

/** «в секунду», «на литр»; null: it is no unit. */
export function speakPer(text: string): string | null {
  const name = text.trim().replace(/\.$/, '');
  const forms = unitOf(name);
  return forms ? `${TIMES.has(name) ? 'в' : 'на'} ${forms[3] ?? ''}` : null;
}
