/** Commands for one sign: the sign, and its spoken form. */
const SIGN_LIST = `
cdot · умножить на
times × умножить на
ast * звёздочка
star ⋆ звёздочка
div : делить на
pm ± плюс-минус
mp ∓ минус-плюс
le ≤ меньше или равно
leq ≤ меньше или равно
leqslant ≤ меньше или равно
ge ≥ больше или равно
geq ≥ больше или равно
geqslant ≥ больше или равно
lt < меньше
gt > больше
ll ≪ много меньше
gg ≫ много больше
ne ≠ не равно
neq ≠ не равно
approx ≈ приблизительно равно
equiv ≡ тождественно равно
sim ∼ подобно
simeq ≃ приблизительно равно
cong ≅ равно
propto ∝ пропорционально
to → стрелка
rightarrow → стрелка
longrightarrow → стрелка
leftarrow ← стрелка влево
longleftarrow ← стрелка влево
gets ← стрелка влево
leftrightarrow ↔ стрелка в обе стороны
longleftrightarrow ↔ стрелка в обе стороны
mapsto ↦ переходит в
longmapsto ↦ переходит в
Rightarrow ⇒ следует
Longrightarrow ⇒ следует
implies ⇒ следует
Leftarrow ⇐ следует из
impliedby ⇐ следует из
Leftrightarrow ⇔ равносильно
Longleftrightarrow ⇔ равносильно
iff ⇔ равносильно
rightleftarrows ⇄ обратимая реакция
rightleftharpoons ⇌ обратимая реакция
leftrightarrows ⇆ обратимая реакция
leftrightharpoons ⇋ обратимая реакция
uparrow ↑ стрелка вверх
downarrow ↓ стрелка вниз
updownarrow ↕ стрелка вверх и вниз
nearrow ↗ стрелка вправо вверх
searrow ↘ стрелка вправо вниз
nwarrow ↖ стрелка влево вверх
swarrow ↙ стрелка влево вниз
xrightarrow → стрелка
xleftarrow ← стрелка влево
xleftrightarrow ↔ стрелка в обе стороны
xRightarrow ⇒ следует
xLeftarrow ⇐ следует из
xLeftrightarrow ⇔ равносильно
xrightleftharpoons ⇌ обратимая реакция
xlongequal = равно
infty ∞ бесконечность
partial ∂ дэ круглое
nabla ∇ набла
degree ° градус
circ ° кружок
bullet • точка
prime ′ штрих
angle ∠ угол
measuredangle ∡ угол
triangle △ треугольник
bigtriangleup △ треугольник
square □ квадрат
Box □ квадрат
diamond ⋄ ромб
perp ⊥ перпендикулярно
parallel ∥ параллельно
nparallel ∦ не параллельно
mid | при условии
nmid ∤ не делит
vdots ⋮ делится на
ldots … многоточие
dots … многоточие
cdots ⋯ многоточие
dotsc … многоточие
dotsb ⋯ многоточие
ddots ⋱ многоточие
colon : двоеточие
in ∈ принадлежит
ni ∋ содержит
notin ∉ не принадлежит
subset ⊂ является подмножеством
subseteq ⊆ является подмножеством или равно
supset ⊃ включает
supseteq ⊇ включает или равно
nsubseteq ⊈ не является подмножеством
cup ∪ объединение
cap ∩ пересечение
setminus ∖ без
emptyset ∅ пустое множество
varnothing ∅ пустое множество
forall ∀ для любого
exists ∃ существует
nexists ∄ не существует
neg ¬ не
lnot ¬ не
land ∧ и
wedge ∧ и
lor ∨ или
vee ∨ или
oplus ⊕ плюс в кружке
otimes ⊗ умножение в кружке
therefore ∴ следовательно
because ∵ так как
sum ∑ сумма
prod ∏ произведение
int ∫ интеграл
iint ∬ двойной интеграл
iiint ∭ тройной интеграл
oint ∮ интеграл по контуру
bigcup ⋃ объединение
bigcap ⋂ пересечение
surd √ корень
hbar ℏ аш с чертой
ell ℓ эль
Re Re действительная часть
Im Im мнимая часть
aleph ℵ алеф
backslash \\ обратная черта
S § параграф
dagger † крестик
checkmark ✓ галочка
textdegree ° градус
alpha α альфа
beta β бета
gamma γ гамма
delta δ дельта
epsilon ε эпсилон
varepsilon ε эпсилон
zeta ζ дзета
eta η эта
theta θ тета
vartheta ϑ тета
iota ι йота
kappa κ каппа
varkappa ϰ каппа
lambda λ лямбда
mu μ мю
nu ν ню
xi ξ кси
omicron ο омикрон
pi π пи
varpi ϖ пи
rho ρ ро
varrho ϱ ро
sigma σ сигма
varsigma ς сигма
tau τ тау
upsilon υ ипсилон
phi φ фи
varphi φ фи
chi χ хи
psi ψ пси
omega ω омега
Gamma Γ гамма большая
Delta Δ дельта
Theta Θ тета большая
Lambda Λ лямбда большая
Xi Ξ кси большая
Pi Π пи большая
Sigma Σ сигма большая
Upsilon Υ ипсилон большая
Phi Φ фи большая
Psi Ψ пси большая
Omega Ω омега большая
newline ; ;`;

/** Names of functions, which are shown unchanged. */
const FUNCTION_LIST = `
sin синус
cos косинус
tg тангенс
tan тангенс
ctg котангенс
cot котангенс
cotg котангенс
sec секанс
cosec косеканс
csc косеканс
arcsin арксинус
arccos арккосинус
arctg арктангенс
arctan арктангенс
arcctg арккотангенс
arccot арккотангенс
sh гиперболический синус
sinh гиперболический синус
ch гиперболический косинус
cosh гиперболический косинус
th гиперболический тангенс
tanh гиперболический тангенс
cth гиперболический котангенс
coth гиперболический котангенс
log логарифм
lg десятичный логарифм
ln натуральный логарифм
exp экспонента
lim предел
limsup верхний предел
liminf нижний предел
max максимум
min минимум
sup супремум
inf инфимум
argmax аргумент максимума
argmin аргумент минимума
det определитель
dim размерность
rank ранг
rang ранг
ker ядро
deg степень
arg аргумент
gcd наибольший общий делитель
lcm наименьшее общее кратное
НОД наибольший общий делитель
НОК наименьшее общее кратное
sgn знак числа
sign знак числа
mod по модулю
bmod по модулю
div целая часть от деления на
const константа
grad градиент
rot ротор
Pr вероятность`;

const lines = (list: string) => list.trim().split('\n');

export interface TexSign {
  readonly shown: string;
  readonly spoken: string;
}

export const SIGNS: ReadonlyMap<string, TexSign> = new Map(
  lines(SIGN_LIST).map((line): [string, TexSign] => {
    const [name = '', shown = '', ...spoken] = line.split(' ');
    return [name, { shown, spoken: spoken.join(' ') }];
  }),
);

export const FUNCTIONS: ReadonlyMap<string, string> = new Map(
  lines(FUNCTION_LIST).map((line): [string, string] => {
    const space = line.indexOf(' ');
    return [line.slice(0, space), line.slice(space + 1)];
  }),
);

/** The spoken form of signs that are typed directly. */
const TYPED: ReadonlyMap<string, string> = new Map([
  ['+', 'плюс'],
  ['-', 'минус'],
  ['−', 'минус'],
  ['–', 'минус'],
  ['=', 'равно'],
  ['<', 'меньше'],
  ['>', 'больше'],
  ['*', 'умножить на'],
  ['/', 'делить на'],
  ['÷', 'делить на'],
  [':', 'двоеточие'],
  ['!', 'факториал'],
  ['%', 'процентов'],
  ['|', 'вертикальная черта'],
  ['‖', 'двойная черта'],
  ['(', 'скобка'],
  [')', 'скобка закрывается'],
  ['[', 'квадратная скобка'],
  [']', 'квадратная скобка закрывается'],
  ['{', 'фигурная скобка'],
  ['}', 'фигурная скобка закрывается'],
  ['⟨', 'угловая скобка'],
  ['⟩', 'угловая скобка закрывается'],
  ['?', 'вопросительный знак'],
  ['#', 'решётка'],
  ['$', 'доллар'],
  ['€', 'евро'],
  ['₽', 'рублей'],
  ['&', 'и'],
  ['_', 'подчёркивание'],
  ['№', 'номер'],
  ['@', 'собака'],
  ['"', 'кавычка'],
  ['`', 'апостроф'],
  ['^', 'крышка'],
  ['~', 'тильда'],
  ['\\', 'обратная черта'],
  ['°', 'градусов'],
  ['℃', 'градусов Цельсия'],
  ['√', 'корень из'],
  ['²', 'в квадрате'],
  ['³', 'в кубе'],
  ['½', 'одна вторая'],
  ['¼', 'одна четвёртая'],
  ['¾', 'три четвёртых'],
  ['∘', 'кружок'],
  ['′', 'штрих'],
  ['″', 'два штриха'],
  ['ℝ', 'множество действительных чисел'],
  ['ℕ', 'множество натуральных чисел'],
  ['ℤ', 'множество целых чисел'],
  ['ℚ', 'множество рациональных чисел'],
  ['ℂ', 'множество комплексных чисел'],
]);

const BY_CHARACTER: ReadonlyMap<string, string> = new Map([
  ...[...SIGNS.values()].reverse().map(({ shown, spoken }): [string, string] => [shown, spoken]),
  ...TYPED,
]);

/** The spoken form of one typed sign; a letter stays a letter. */
export const spokenCharacter = (character: string): string =>
  BY_CHARACTER.get(character) ?? character;
