/** Commands of TeX and their spoken form: those that KaTeX knows and teachers and importers write. */

const words = (list: string) => new Set(list.split(' '));

export const TEXTS = words('text textrm textbf textit textsf texttt textup textnormal mbox hbox');
export const FRACTIONS = words('frac dfrac tfrac cfrac');
export const BINOMIALS = words('binom dbinom tbinom');
export const ACCENTS = words(
  'vec overrightarrow overleftarrow overleftrightarrow overline bar hat widehat tilde widetilde dot ddot dddot ' +
    'underline overbrace underbrace boxed fbox cancel bcancel xcancel sout mathring acute grave check breve overgroup',
);
export const FONTS = words(
  'mathbb mathcal mathbf mathit mathsf mathtt mathfrak mathscr mathnormal boldsymbol bm pmb mathop mathrel ' +
    'mathbin mathord mathopen mathclose mathpunct mathinner mathrm emph smash substack Bbb bold frak',
);
export const STACKS = words('overset underset stackrel');
export const ARROWS = words(
  'xrightarrow xleftarrow xleftrightarrow xRightarrow xLeftarrow xLeftrightarrow xrightleftharpoons xlongequal',
);
/** Commands of layout with the number of their arguments, which are left out with them. */
export const LAYOUT: ReadonlyMap<string, number> = new Map([
  ...Array.from(
    words(
      'displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits quad qquad enspace thinspace medspace ' +
        'thickspace negthinspace big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm biggm Biggm ' +
        'nonumber notag hline hdashline strut mathstrut allowbreak nobreak middle relax rm it bf sf tt cal boldmath unboldmath ' +
        'normalsize small large Large tiny huge left right displaylimits',
    ),
    (name): [string, number] => [name, 0],
  ),
  ...Array.from(
    words('color phantom hphantom vphantom hspace hspace* vspace label mathclap'),
    (name): [string, number] => [name, 1],
  ),
  ['rule', 2],
]);
/** Commands with a visible last argument. */
export const COLOURS: ReadonlyMap<string, number> = new Map([
  ['textcolor', 1],
  ['colorbox', 1],
  ['fcolorbox', 2],
  ['raisebox', 1],
  ['href', 1],
]);
export const DELIMITERS: Readonly<Record<string, string>> = {
  lvert: '|',
  rvert: '|',
  vert: '|',
  lVert: '‖',
  rVert: '‖',
  Vert: '‖',
  langle: '⟨',
  rangle: '⟩',
  lfloor: '⌊',
  rfloor: '⌋',
  lceil: '⌈',
  rceil: '⌉',
  lbrace: '{',
  rbrace: '}',
  lbrack: '[',
  rbrack: ']',
  lgroup: '(',
  rgroup: ')',
};
/** Escaped signs; spaces are left out. */
export const ESCAPED: Readonly<Record<string, string>> = { '|': '‖' };
export const SPACES = new Set([',', ';', ':', '!', '>', ' ', '/', '-', '\n', '']);
