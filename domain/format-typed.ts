/**
 * Invisible characters: format characters (zero-width spaces, soft hyphens, direction marks), variation selectors, and
 * characters that fonts leave out, such as Hangul fillers.
 */
export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Joiners and selectors that change the character before them: in an emoji, and in scripts other than Latin,
 * Cyrillic and Greek (Persian «می‌خواهم»). No lookbehind: Safari 15 has none.
 */
const MEANT = new RegExp(
  [
    String.raw`((?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{DI}])`,
    String.raw`(?:\p{L}|\p{M}|\p{Emoji_Modifier}|\p{Extended_Pictographic})\uFE0F?)`,
    String.raw`(\u200C|\u200D|\uFE0E|\uFE0F)|[\p{Cf}\p{DI}]`,
  ].join(''),
  'gu',
);

/**
 * A typed answer or key in its stored form: without invisible characters, except those that are part of an emoji or a
 * letter.
 */
export const withoutInvisible = (text: string): string =>
  text.replaceAll(MEANT, (_, letter: string | undefined, joiner: string | undefined) =>
    letter === undefined ? '' : `${letter}${joiner}`,
  );

/** A minus, a hyphen or a dash before a number, as typed or copied. */
const SIGN = /^(\s*)([-+\u2010-\u2015\u2212\u02D7\uFE58\uFE63\uFF0D\uFF0B])/;

/** The number with the other sign: «5» ↔ «−5». Text after the sign does not change. */
export function toggleSign(typed: string): string {
  const sign = SIGN.exec(typed)?.[2];
  if (sign === undefined) return `−${typed}`;
  const isPlus = sign === '+' || sign === '\uFF0B';
  return typed.replace(SIGN, isPlus ? '$1−' : '$1');
}
