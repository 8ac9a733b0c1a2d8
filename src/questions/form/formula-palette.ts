/** A palette entry. In `tex` a `|` marks the cursor and wraps the selection. */
export interface FormulaSign {
  readonly tex: string;
  /** Rendered on the button; absent: `tex` itself. */
  readonly shown?: string;
  /** Label for screen readers and tooltip. */
  readonly name: string;
}

export interface SignGroup {
  readonly name: string;
  readonly signs: readonly FormulaSign[];
}

const greek = (pairs: readonly (readonly [string, string])[]): FormulaSign[] =>
  pairs.map(([tex, name]) => ({ tex: `\\${tex} `, name }));

/** The most common symbols at school; other TeX can be typed. */
export const PALETTE: readonly SignGroup[] = [
  {
    name: 'Запись',
    signs: [
      { tex: '\\frac{|}{}', shown: '\\frac{a}{b}', name: 'Дробь' },
      { tex: '\\sqrt{|}', shown: '\\sqrt{a}', name: 'Корень' },
      { tex: '\\sqrt[3]{|}', shown: '\\sqrt[3]{a}', name: 'Кубический корень' },
      { tex: '^{|}', shown: 'a^n', name: 'Степень' },
      { tex: '_{|}', shown: 'a_i', name: 'Индекс' },
      { tex: '\\left(|\\right)', shown: '(a)', name: 'Скобки по высоте' },
      { tex: '\\left\\lvert |\\right\\rvert', shown: '\\lvert a\\rvert', name: 'Модуль' },
      { tex: '\\vec{|}', shown: '\\vec a', name: 'Вектор' },
      { tex: '\\overrightarrow{|}', shown: '\\overrightarrow{AB}', name: 'Вектор из двух букв' },
      { tex: '\\overline{|}', shown: '\\overline{a}', name: 'Черта сверху' },
      {
        tex: '\\begin{cases} | \\\\ {} \\end{cases}',
        shown: '\\begin{cases}a\\\\b\\end{cases}',
        name: 'Система',
      },
      { tex: '\\text{|}', shown: '\\text{м/с}', name: 'Слова и единицы' },
    ],
  },
  {
    name: 'Действия',
    signs: [
      { tex: '\\cdot ', name: 'Умножить' },
      { tex: '\\times ', name: 'Косой крест' },
      { tex: '\\div ', name: 'Разделить' },
      { tex: '\\pm ', name: 'Плюс-минус' },
      { tex: '\\le ', name: 'Меньше или равно' },
      { tex: '\\ge ', name: 'Больше или равно' },
      { tex: '\\ne ', name: 'Не равно' },
      { tex: '\\approx ', name: 'Приблизительно равно' },
      { tex: '\\infty ', name: 'Бесконечность' },
      { tex: '^\\circ ', shown: '90^\\circ', name: 'Градус' },
      { tex: '\\in ', name: 'Принадлежит' },
      { tex: '\\cup ', name: 'Объединение' },
      { tex: '\\cap ', name: 'Пересечение' },
      { tex: '\\perp ', name: 'Перпендикулярно' },
      { tex: '\\parallel ', name: 'Параллельно' },
      { tex: '\\angle ', name: 'Угол' },
      { tex: '\\triangle ', name: 'Треугольник' },
    ],
  },
  {
    name: 'Суммы и пределы',
    signs: [
      { tex: '\\sum_{|}^{}', shown: '\\sum', name: 'Сумма' },
      { tex: '\\int_{|}^{}', shown: '\\int', name: 'Интеграл' },
      { tex: '\\lim_{|}', shown: '\\lim', name: 'Предел' },
      { tex: '\\sin ', name: 'Синус' },
      { tex: '\\cos ', name: 'Косинус' },
      { tex: '\\operatorname{tg} ', name: 'Тангенс' },
      { tex: '\\log_{|}', shown: '\\log_a', name: 'Логарифм' },
      { tex: '\\Delta ', name: 'Изменение' },
    ],
  },
  {
    name: 'Стрелки',
    signs: [
      { tex: '\\to ', name: 'Стрелка' },
      { tex: '\\Rightarrow ', name: 'Следует' },
      { tex: '\\Leftrightarrow ', name: 'Равносильно' },
      { tex: '\\rightleftarrows ', name: 'Обратимая реакция' },
      { tex: '\\uparrow ', name: 'Газ' },
      { tex: '\\downarrow ', name: 'Осадок' },
      { tex: '\\xrightarrow{|}', shown: '\\xrightarrow{t}', name: 'Стрелка с условием' },
    ],
  },
  {
    name: 'Греческие буквы',
    signs: greek([
      ['alpha', 'альфа'],
      ['beta', 'бета'],
      ['gamma', 'гамма'],
      ['delta', 'дельта'],
      ['varepsilon', 'эпсилон'],
      ['eta', 'эта'],
      ['theta', 'тета'],
      ['lambda', 'лямбда'],
      ['mu', 'мю'],
      ['nu', 'ню'],
      ['pi', 'пи'],
      ['rho', 'ро'],
      ['sigma', 'сигма'],
      ['tau', 'тау'],
      ['varphi', 'фи'],
      ['psi', 'пси'],
      ['omega', 'омега'],
      ['Phi', 'Фи большая'],
      ['Omega', 'Омега большая'],
    ]),
  },
];
