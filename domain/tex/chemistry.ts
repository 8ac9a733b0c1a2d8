const ELEMENTS = new Set(
  (
    'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb ' +
    'Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt ' +
    'Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu R'
  ).split(' '),
);

const PIECE =
  /([A-Z][a-z]?)|(\d+)|_(\d|\{[\dn+]+\}|n)|\^(\{?\d*[+-]\}?)|([()[\]])|([+=])|\\(longrightarrow|rightarrow|to|rightleftarrows|rightleftharpoons|uparrow|downarrow|cdot(?=\s*\d*H_))(?![a-zA-Z])|\\xrightarrow(?:\[[^\]{}]*\])?\{([^{}]*)\}|([↑↓→⇄])|\s+|\\[,;: ]|~/gy;

const NAMED: Readonly<Record<string, string>> = {
  '(': 'скобка',
  '[': 'скобка',
  ')': 'скобка закрывается',
  ']': 'скобка закрывается',
  '+': 'плюс',
  '=': 'равно',
  to: 'стрелка',
  rightarrow: 'стрелка',
  longrightarrow: 'стрелка',
  '→': 'стрелка',
  rightleftarrows: 'обратимая реакция',
  rightleftharpoons: 'обратимая реакция',
  '⇄': 'обратимая реакция',
  uparrow: 'газ',
  '↑': 'газ',
  downarrow: 'осадок',
  '↓': 'осадок',
  cdot: 'точка',
};

const charge = (text: string) =>
  text.replace(/[{}]/g, '').replace('+', ' плюс').replace('-', ' минус').trim();

const FONT = /\\(?:mathrm|text|ce)\s*\{/;

/** The formula without the commands that only make it upright. */
function withoutFonts(tex: string): string {
  let source = tex;
  for (let found = FONT.exec(source); found; found = FONT.exec(source)) {
    const start = found.index + found[0].length;
    let end = start;
    for (let open = 1; end < source.length; end += 1) {
      open += source[end] === '{' ? 1 : source[end] === '}' ? -1 : 0;
      if (open === 0) break;
    }
    source = source.slice(0, found.index) + source.slice(start, end) + source.slice(end + 1);
  }
  return source;
}

/**
 * A formula or an equation of chemistry in spoken form, «H 2 O»; null: it is none. Mathematics has the same letters: an
 * upright, joined or charged formula, or an equation with an arrow, is chemistry.
 */
export function speakChemistry(
  tex: string,
  speakCondition: (tex: string) => string,
): string | null {
  const source = withoutFonts(tex);
  const spoken: string[] = [];
  let isUpright = source !== tex;
  let isNumbered = false;
  let isJoined = false;
  let at = 0;
  for (const found of source.matchAll(PIECE)) {
    if (found.index !== at) return null;
    isJoined ||= found[1] !== undefined && /[A-Za-z\d})]$/.test(source.slice(0, at).trimEnd());
    at += found[0].length;
    const [, element, number, index, ion, bracket, sign, command, condition, arrow] = found;
    if (element !== undefined) {
      if (!ELEMENTS.has(element)) return null;
      spoken.push(element);
    } else if (index !== undefined) {
      isNumbered = true;
      spoken.push(index.replace(/[{}]/g, '').replace('+', ' плюс '));
    } else if (ion !== undefined) {
      isUpright = true;
      isNumbered = true;
      spoken.push(`заряд ${charge(ion)}`);
    } else if (number !== undefined) spoken.push(number);
    else if (condition !== undefined) {
      isUpright = true;
      spoken.push(`стрелка${condition.trim() ? `, над ней ${speakCondition(condition)},` : ''}`);
    } else {
      isUpright ||= command !== undefined || arrow !== undefined;
      const named = NAMED[bracket ?? sign ?? command ?? arrow ?? ''];
      if (named !== undefined) spoken.push(named);
    }
  }
  const isChemical = at === source.length && isNumbered && (isUpright || isJoined);
  return isChemical ? spoken.join(' ') : null;
}
