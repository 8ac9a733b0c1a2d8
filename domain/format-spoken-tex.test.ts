import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { showTex } from './format-tex.ts';
import { speakTex } from './format-spoken-tex.ts';

/** Formulas of school lessons: their form in a line, and their spoken form. */
const FORMULAS = String.raw`
\sqrt{2} | √2 | корень из 2
\sqrt 2 | √2 | корень из 2
\sqrt[3]{x+1} | ∛(x+1) | корень третьей степени из x плюс 1, конец корня
\sqrt[n]{x} | ⁿ√x | корень степени n из x
\frac{1}{2} | 1/2 | одна вторая
\frac12 | 1/2 | одна вторая
\dfrac{10}{25} | 10/25 | 10 делить на 25
2\frac{3}{4} | 2 3/4 | 2 целых три четвёртых
\frac{a+b}{c} | (a+b)/c | дробь: числитель a плюс b, знаменатель c, конец дроби
\frac{a}{b} | a/b | a делить на b
c\frac{a}{b} | c·a/b | c дробь: числитель a, знаменатель b, конец дроби
\frac{mv^2}{2} | (mv²)/2 | дробь: числитель m v в квадрате, знаменатель 2, конец дроби
\frac{-b\pm\sqrt{D}}{2a} | (−b ± √D)/(2a) | дробь: числитель минус b плюс-минус корень из D, знаменатель 2 a, конец дроби
{a \over b} | a/b | a делить на b
x^2 | x² | x в квадрате
x^3+y^{n+1} | x³+yⁿ⁺¹ | x в кубе плюс y в степени n плюс 1, конец степени
x^n | xⁿ | x в степени n
x^{-1} | x⁻¹ | x в степени минус 1
2^{x^2} | 2^(x²) | 2 в степени x в квадрате, конец степени
x_1 | x₁ | x с индексом 1
x_1+x_{n+1} | x₁+xₙ₊₁ | x с индексом 1 плюс x с индексом n плюс 1, конец индекса
x_{1,2} | x_1,2 | x с индексом 1, 2
x \ge 5 | x ≥ 5 | x больше или равно 5
x≥5 | x ≥ 5 | x больше или равно 5
-5 | −5 | минус 5
3{,}5 | 3,5 | 3,5
3,14 | 3,14 | 3,14
(1,2,3) | (1, 2, 3) | скобка 1, 2, 3 скобка закрывается
10\,000 | 10000 | 10000
\int_0^1 x^2\,dx | ∫₀¹x²dx | интеграл от 0 до 1 x в квадрате d x
\sum_{i=1}^{n} i^2 | ∑ᵢ₌₁ⁿi² | сумма по i от 1 до n i в квадрате
\lim_{x\to 0} \frac{\sin x}{x} | lim (x → 0) (sin x)/x | предел при x, стремящемся к 0, дробь: числитель синус x, знаменатель x, конец дроби
\lim\limits_{n \to \infty} a_n | lim (n → ∞) aₙ | предел при n, стремящемся к бесконечности, a с индексом n
\vec{a} | a⃗ | вектор a
\overrightarrow{AB} | AB⃗ | вектор A B
|x| | |x| | модуль x
|x-1|+|y| | |x−1|+|y| | модуль x минус 1, конец модуля плюс модуль y
\left|\frac{x}{2}\right| | |x/2| | модуль x делить на 2, конец модуля
\begin{cases} x+y=5 \\ x-y=1 \end{cases} | {x+y = 5; x−y = 1 | система: x плюс y равно 5; x минус y равно 1; конец системы
\left\{\begin{array}{l} x>0 \\ y<1 \end{array}\right. | {x > 0; y < 1 | система: x больше 0; y меньше 1; конец системы
\left[\begin{gathered} x=1 \\ x=2 \end{gathered}\right. | [x = 1; x = 2 | совокупность: x равно 1; x равно 2; конец совокупности
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} | (1 2; 3 4) | матрица 2 на 2: строка 1: 1, 2; строка 2: 3, 4; конец матрицы
\begin{vmatrix} a & b \\ c & d \end{vmatrix} | |a b; c d| | определитель 2 на 2: строка 1: a, b; строка 2: c, d; конец определителя
\alpha+\beta | α+β | альфа плюс бета
\Phi = BS | Φ = BS | фи большая равно B S
\sin x | sin x | синус x
\sin^2\alpha + \cos^2\alpha = 1 | sin² α+cos² α = 1 | синус в квадрате альфа плюс косинус в квадрате альфа равно 1
\operatorname{tg} x | tg x | тангенс x
\log_2 8 | log₂ 8 | логарифм по основанию 2 от 8
\lg 100 | lg 100 | десятичный логарифм 100
30^\circ | 30° | 30 градусов
21^\circ | 21° | 21 градус
30^\circ 15' | 30°15′ | 30 градусов 15 минут
20\,^\circ\mathrm{C} | 20°C | 20 градусов Цельсия
x\in\mathbb{R} | x ∈ ℝ | x принадлежит множеству действительных чисел
\mathbb{N}\subset\mathbb{Z} | ℕ ⊂ ℤ | множество натуральных чисел является подмножеством множества целых чисел
A \Rightarrow B | A ⇒ B | A следует B
H_2O | H₂O | H 2 O
\mathrm{H_2SO_4} | H₂SO₄ | H 2 S O 4
2H_2 + O_2 \rightarrow 2H_2O | 2H₂+O₂ → 2H₂O | 2 H 2 плюс O 2 стрелка 2 H 2 O
\mathrm{CaCO_3 \xrightarrow{t} CaO + CO_2\uparrow} | CaCO₃→(t)CaO+CO₂↑ | Ca C O 3 стрелка, над ней t, Ca O плюс C O 2 газ
\mathrm{Ca(OH)_2} | Ca(OH)₂ | Ca скобка O H скобка закрывается 2
SO_4^{2-} | SO₄²⁻ | S O 4 заряд 2 минус
F_1 = F_2 | F₁ = F₂ | F с индексом 1 равно F с индексом 2
^{14}_{6}C | ₆¹⁴C | верхний индекс 14, нижний индекс 6, C
\approx 3 | ≈3 | приблизительно равно 3
(-\infty; 5] | (−∞; 5] | скобка минус бесконечность; 5 квадратная скобка закрывается
[0;1) | [0; 1) | квадратная скобка 0; 1 скобка закрывается
a\cdot b | a · b | a умножить на b
5\ \text{м/с} | 5 м/с | 5 метров в секунду
9{,}8\ \text{м/с}^2 | 9,8 м/с² | 9,8 метра в секунду в квадрате
9,8\ м/с^2 | 9,8 м/с² | 9,8 метра в секунду в квадрате
10^3\ \text{Па} | 10³ Па | 10 в кубе паскалей
F_{\text{тр}} = \mu N | F_тр = μN | F с индексом тр равно мю N
F = G\frac{Mm}{r^2} | F = G·Mm/r² | F равно G дробь: числитель M большое m, знаменатель r в квадрате, конец дроби
(a+b)^2 | (a+b)² | скобка a плюс b скобка закрывается в квадрате
f(x)=x^2 | f(x) = x² | f от x равно x в квадрате
f'(x_0) | f′(x₀) | f штрих от x с индексом 0
C_n^k | Cₙᵏ | C с нижним индексом n и верхним индексом k
\binom{n}{k} | C(n, k) | число сочетаний из n по k
A \cap \varnothing | A ∩ ∅ | A пересечение пустое множество
\angle ABC = 60^\circ | ∠ABC = 60° | угол A B C равно 60 градусов
x(t)=5+4t-3t^2 | x(t) = 5+4t−3t² | x от t равно 5 плюс 4 t минус 3 t в квадрате
\text{если } x>0 | если x > 0 | если x больше 0
50\% | 50% | 50 процентов
5! | 5! | 5 факториал
12:3 | 12:3 | 12 делить на 3
\not= | ≠ | не равно
x \notin A | x ∉ A | x не принадлежит A
\overline{abc} | a̅b̅c̅ | выражение a b c, всё с чертой
\overset{?}{=} | =(?) | равно, сверху вопросительный знак
\textcolor{red}{y} | y | y
\foo{x} | foo x | foo x
\, |  | пустая формула
`
  .trim()
  .split('\n')
  .map((line) => {
    const parts = line.split(' | ');
    // A formula may contain the separator itself.
    const spoken = parts.pop() ?? '';
    const shown = parts.pop() ?? '';
    return { tex: parts.join(' | '), shown: shown.trim(), spoken };
  });

test('the table has more than sixty formulas', () => {
  expect(FORMULAS.length).toBeGreaterThan(60);
});

test.each(FORMULAS)('$tex is read «$spoken»', ({ tex, spoken }) => {
  expect(speakTex(tex)).toBe(spoken);
});

test.each(FORMULAS)('$tex is shown in a line as «$shown»', ({ tex, shown }) => {
  expect(showTex(tex).normalize()).toBe(shown.normalize());
});

const TEX = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...String.raw`\frac \sqrt \left( \right) \left\{ \right. \begin{cases} \end{cases} \\ & ^ _ { } [ ] ( ) | \| ' \over \text{ \mathrm{ \sum \lim \log \circ \not \foo % $ \$ \{ \} ~ # \xrightarrow[ \overset \vec x 1 12 , . = + - я \ce{ H_2`.split(
          ' ',
        ),
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

test('whatever is typed is read as something, without marks of TeX', () => {
  fc.assert(
    fc.property(TEX, (tex) => {
      const spoken = speakTex(tex);
      expect(spoken.trim()).not.toBe('');
      expect(spoken).not.toMatch(/[\\{}^$]/);
      expect(showTex(tex)).not.toMatch(/[\\$]/);
    }),
    { numRuns: 2_000 },
  );
});

test('deep and long formulas cost little and end', () => {
  const deep = [
    '{'.repeat(1_900),
    '\\sqrt{'.repeat(300),
    '('.repeat(1_900),
    '\\left('.repeat(300),
    '\\frac'.repeat(380),
    'x^'.repeat(950),
    '|'.repeat(1_900),
    '\\begin{cases}'.repeat(140),
    'a_1^2'.repeat(380),
    '\\mathrm{'.repeat(200),
  ];
  const begin = cpuMs();
  for (const tex of deep) expect(speakTex(tex).trim()).not.toBe('');
  expect(cpuMs() - begin).toBeLessThan(2_000);
  expect(speakTex('x'.repeat(3_000))).toBe('длинная формула');
});
