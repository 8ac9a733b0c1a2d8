// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { HOSTILE_BODIES } from '#tests/hostile-bodies.ts';
import { HOSTILE_TEXTS } from '#tests/hostile-texts.ts';
import { drawFormula } from './katex.ts';
import { toFragment, toMarkup, type RenderFormula } from './markdown.ts';
import { hasMath, liftMath } from '#domain/format-math.ts';
import { isPlain } from './plain.ts';

function html(source: string, inline = false): string {
  const box = document.createElement('div');
  box.append(toFragment(source, { inline }));
  return box.innerHTML;
}

const spoken = (words: string) => `<span data-spoken="" lang="ru">${words}</span>`;

function drawn(source: string): HTMLElement {
  const box = document.createElement('div');
  box.append(toFragment(source, { draw: drawFormula }));
  return box;
}

test('Markdown becomes paragraphs, emphasis, lists and tables in their own box', () => {
  expect(html('Величина **не** сохраняется\nпри ударе')).toBe(
    '<p>Величина <strong>не</strong> сохраняется<br>при ударе</p>\n',
  );
  expect(html('- раз\n- два')).toContain('<li>раз</li>');
  expect(html('| a | b |\n|---|---|\n| 1 | 2 |')).toMatch(
    /^<div data-box="table" tabindex="0"><table>/,
  );
});

test('a recording becomes a player under its description, and nothing else of it is markup', () => {
  expect(html('![Диалог $x$](audio-file:0198-a)')).toBe(
    '<p><span data-player="">Диалог x<audio controls="" data-file="0198-a" aria-label="Диалог x"></audio></span></p>\n',
  );
  expect(html('![](audio-file:k)', true)).toContain('aria-label="Запись"');
  expect(html('![a](audio-file:javascript:alert)')).not.toContain('audio');
  expect(html('<audio src=x onerror=alert(1)>')).not.toContain('<audio');
});

test('inline text has no block around it', () => {
  expect(html('12 Н, против *оси*', true)).toBe('12 Н, против <em>оси</em>');
});

test('a heading never competes with the headings of the page', () => {
  expect(html('# Большой')).toBe('<h3>Большой</h3>');
});

test('formulas are lifted whole, whatever signs they hold', () => {
  expect(liftMath('а $a_1 * b_2 * c$ и $$x|y$$').formulas).toEqual([
    { tex: 'a_1 * b_2 * c', display: false },
    { tex: 'x|y', display: true },
  ]);
  expect(html('a $a_1 * b_2 * c$ b')).toBe(
    `<p>a <span data-math="inline">${spoken('a с индексом 1 умножить на b с индексом 2 умножить на c')}<span aria-hidden="true">a_1 * b_2 * c</span></span> b</p>\n`,
  );
});

test('a formula of its own line can be scrolled with the keys', () => {
  expect(html('$$a$$')).toContain(
    `<span data-math="block" tabindex="0">${spoken('a')}<span aria-hidden="true">a</span></span>`,
  );
});

test.each(['от 5$ до 10$', 'цена 5 $', String.raw`\$a\$`, '`$x$`', '$ x $'])(
  'dollars that are no formula stay: %s',
  (source) => {
    expect(hasMath(source)).toBe(false);
  },
);

test('an escaped dollar is shown without its escape', () => {
  expect(html(String.raw`5 \$ и $x$`)).toBe(
    `<p>5 $ и <span data-math="inline">${spoken('x')}<span aria-hidden="true">x</span></span></p>\n`,
  );
});

test('a formula inside a table cell and an option is drawn', () => {
  expect(drawn('| a |\n|---|\n| $|x|$ |').querySelectorAll('td .katex')).toHaveLength(1);
  expect(drawn('$v = \\frac{s}{t}$').querySelector('.mfrac')).not.toBeNull();
});

test.each(['$\\sqrt{2}$', '$$\\sqrt{2}$$'])(
  'a formula is silent but for its words: %s',
  (source) => {
    const box = drawn(source);
    for (const silent of box.querySelectorAll('[aria-hidden=true]')) silent.remove();
    expect(box.textContent.trim()).toBe('корень из 2');
    expect(box.querySelector('math, .katex')).toBeNull();
  },
);

test('a wrong formula is shown as typed, in the colour of errors', () => {
  const box = drawn('$\\frac{1$ дальше');
  expect(box.textContent).toContain('\\frac{1');
  expect(box.textContent).toContain('дальше');
});

test.each([
  '$\\href{javascript:alert(1)}{x}$',
  '$\\url{javascript:alert(1)}$',
  '$\\includegraphics{https://example.org/x.png}$',
  '$\\htmlData{x=y}{z}$',
  '$\\htmlStyle{position:fixed}{z}$',
])('a formula loads and links nothing: %s', (source) => {
  const box = drawn(source);
  expect(box.querySelectorAll('a, img, [data-x], [style*="fixed"]')).toHaveLength(0);
});

test('a formula that grows without end is given up quickly', () => {
  const bomb =
    '$\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b}\\def\\d{\\c\\c\\c\\c\\c\\c\\c\\c}\\d\\d\\d\\d\\d\\d$';
  expect(drawn(bomb).textContent?.length).toBeLessThan(2_000);
});

test('a formula cannot be larger than bounded', () => {
  const width = /width:\s*([\d.]+)em/.exec(drawn('$\\rule{9999em}{1em}$').innerHTML)?.[1];
  expect(Number(width ?? 0)).toBeLessThanOrEqual(20);
});

test('a picture bears its key and no source', () => {
  expect(html('![схема](file:0198-ab/c.png)')).toBe(
    '<p><img data-file="0198-ab/c.png" alt="схема"></p>\n',
  );
});

test.each([
  '![x](https://example.org/x.png)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x](//example.org/x.png)',
  '![x](/api/Files/file?path=1)',
  '![x](file:a"onerror="alert(1))',
  '![x](file:a%20b)',
])('pictures from elsewhere are refused: %s', (source) => {
  expect(html(source)).not.toContain('<img');
});

test('a list uses its first number', () => {
  expect(html('3. три')).toContain('<ol start="3">');
});

test('links open new tabs, and only to the web', () => {
  expect(html('[школа](https://example.org)')).toBe(
    '<p><a href="https://example.org" target="_blank" rel="noopener noreferrer">школа</a></p>\n',
  );
});

test.each(HOSTILE_TEXTS)('nothing of %s runs, loads or covers the page', (source) => {
  for (const inline of [false, true]) {
    const box = document.createElement('div');
    box.append(toFragment(source, { inline, draw: drawFormula }));
    const inOwnMarkup = [...box.querySelectorAll('*')].filter(
      (element) => !element.closest('.katex'),
    );
    const active = 'script, style, iframe, object, embed, form, input, base, meta, link, svg';
    expect(inOwnMarkup.filter((element) => element.matches(active))).toEqual([]);
    const attributes = [...box.querySelectorAll('*')].flatMap((element) =>
      Array.from(element.attributes),
    );
    expect(attributes.filter(({ name }) => /^on|^src/.test(name))).toEqual([]);
    const addresses = attributes.filter(({ name }) => name === 'href').map(({ value }) => value);
    expect(addresses.filter((address) => !/^(?:https?|mailto):/.test(address))).toEqual([]);
    expect(inOwnMarkup.filter((element) => element.hasAttribute('style'))).toEqual([]);
  }
});

test('ordinary sentences need no parser', () => {
  for (const text of [
    '12 Н, против оси x',
    'Что больше: 5 < 7?',
    'По-русски, т. е. так',
    'a - b',
  ]) {
    expect(isPlain(text)).toBe(true);
  }
  for (const text of ['$x$', '**не**', '- раз', '1. раз', '[a](b)', '&nbsp;', '<b>', 'a@b.ru']) {
    expect(isPlain(text), text).toBe(text === '<b>');
  }
});

test('addresses become links as they are written, words with a dot do not', () => {
  expect(html('см. www.a.ru, и http://b.ru/к?в=1. Да.Нет a.ru', true)).toMatch(
    /^см\. <a href="http:\/\/www\.a\.ru"[^>]*>www\.a\.ru<\/a>, и <a href="http:\/\/b\.ru\/%D0%BA\?%D0%B2=1"[^>]*>http:\/\/b\.ru\/к\?в=1<\/a>\. Да\.Нет a\.ru$/,
  );
});

test('column alignment stays, task boxes are left out, struck-through text stays', () => {
  expect(html('| a | b |\n|:-:|-:|\n| 1 | 2 |')).toContain('<td align="right">2</td>');
  expect(html('- [x] раз\n- [ ] два')).toBe('<ul>\n<li>раз</li>\n<li>два</li>\n</ul>\n');
  expect(html('~~а~~', true)).toBe('<del>а</del>');
});

describe.each([false, true])('with inline %s', (inline) => {
  test('no text costs more than a small multiple of a richly marked one of its size', () => {
    const size = 20_000;
    const cost = (source: string) => {
      const begin = cpuMs();
      toMarkup(source, inline);
      return cpuMs() - begin;
    };
    const rich = '- **Сила** *тока* равна [A](https://a.ru)\n'.repeat(size / 42);
    const least = (source: string) => Math.min(cost(source), cost(source), cost(source));
    // Below ten milliseconds the compiler dominates; quadratic work takes far longer.
    const usual = Math.max(10, least(rich));
    const slow = Object.entries(HOSTILE_BODIES).filter(([, text]) => {
      const hostile = text(size);
      return cost(hostile) > 15 * usual && least(hostile) > 15 * usual;
    });
    expect(slow.map(([name]) => name)).toEqual([]);
  });
});

test.each([
  ['many', '$a$ '.repeat(1_000), 400],
  ['long', `$${'x+'.repeat(1_500)}x$ $y$`, 1],
  ['many long', `$${'x+'.repeat(900)}x$ `.repeat(10), 4],
])(
  'of %s formulas a bounded number is drawn, the others stay as they were typed',
  (_, text, count) => {
    const drawn: string[] = [];
    const draw: RenderFormula = ({ tex }) => void drawn.push(tex);
    const box = document.createElement('div');
    box.append(toFragment(text, { draw }));
    expect(drawn).toHaveLength(count);
    expect(box.querySelectorAll('[data-math]')).toHaveLength(text.split('$').length >> 1);
  },
);
