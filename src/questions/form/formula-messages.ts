/** Maximum length of a formula. */
export const FORMULA_CHARACTERS = 1_000;

type Words = (match: RegExpExecArray) => string;

const KNOWN: readonly (readonly [RegExp, Words])[] = [
  [
    /Undefined control sequence: (\S+)/,
    ([, name]) =>
      `Команды ${name} нет. Проверьте, как она пишется, или выберите знак выше; русские слова пишут внутри \\text{…}.`,
  ],
  [
    /Too many expansions/,
    () => 'Формула разворачивается без конца. Уберите из неё \\def и повторы.',
  ],
  [
    /No such environment: (\S+)/,
    ([, name]) => `Окружения ${name} нет. Для системы выберите «Система» выше.`,
  ],
  [/Expected '\}', got 'EOF'/, () => 'Не хватает закрывающей скобки }. Допишите её.'],
  [
    /Unexpected end of input/,
    () => 'Формула обрывается: не хватает } или того, что пишут после команды в скобках {…}.',
  ],
  [/got '([&#])'/, ([, sign]) => `Знак ${sign} пишут с чертой: \\${sign}.`],
  [/got '\}'|Extra \}/, () => 'Закрывающая скобка } лишняя. Уберите её или поставьте парную {.'],
  [
    /Double (superscript|subscript)/,
    ([, which]) =>
      which === 'superscript'
        ? 'Две степени подряд. Возьмите основание в скобки: {x^2}^3.'
        : 'Два индекса подряд. Возьмите основание в скобки: {x_1}_2.',
  ],
  [
    /Expected group after '([\^_])'/,
    ([, sign]) => `После ${sign} ничего не стоит. Допишите: ${sign}{…}.`,
  ],
  [
    /Expected group as argument to '(\S+?)'/,
    ([, name]) => `Команде ${name} не хватает того, что пишут после неё в скобках {…}.`,
  ],
  [
    /Missing \\right|'?\\right'?, got|Expected '\\right'/,
    () => 'У \\left нет пары. Допишите \\right с той же скобкой.',
  ],
  [
    /Invalid delimiter|Missing .*delimiter|delimiter type/i,
    () => 'После \\left и \\right нужна скобка: (, [, \\{ или |.',
  ],
  [
    /\\end|Mismatch: \\begin|Expected & or/,
    () => 'Не закрыто \\begin{…}. Допишите \\end{…} с тем же именем.',
  ],
  [/'\$'|Can't use function '\\[([]'/, () => 'Знаки $ внутри не нужны: они поставятся сами.'],
  [
    /Invalid (size|color|unit)|Unrecognized/,
    () => 'Размер или цвет записан с ошибкой. Уберите его.',
  ],
  [/call stack|recursion/i, () => 'Слишком много вложенных скобок. Упростите формулу.'],
];

/** A bare percent sign comments out the rest without an error. */
export const hidesItsEnd = (tex: string): boolean => /(?:^|[^\\])%/.test(tex);
export const HIDDEN_END = 'Знак % скрывает всё, что после него. Напишите \\%.';

/** Russian error message and advice for a KaTeX error. */
export function formulaMessage(fault: string): string {
  for (const [pattern, words] of KNOWN) {
    const match = pattern.exec(fault);
    if (match) return words(match);
  }
  return 'Формула записана с ошибкой: ученик увидит её как есть. Проверьте скобки и команды.';
}
