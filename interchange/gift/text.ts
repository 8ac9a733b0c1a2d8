import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import { htmlToMarkdown } from '#interchange/html/to-markdown.ts';
import {
  createContextWithoutPictures,
  importedText,
  textToMarkdown,
} from '#interchange/imported-text.ts';
import { fromMoodleMarkdown } from '#interchange/moodle-markdown.ts';
import type { GiftText } from './parse.ts';

// Tags that teachers type in Moodle's plain texts; «a < b» is none.
const HTML =
  /<\/?(?:p|br|b|i|u|s|em|strong|sub|sup|span|div|img|table|tbody|tr|td|th|ul|ol|li|a|font|h[1-6]|pre|code|hr|tt|center|big|small|kbd|del|ins|mark|iframe|svg|video|audio|blockquote|dl|dt|dd)\b[^<>]*>|&(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});/i;
const BREAK = /<br\s{0,9}\/?>/gi;

/**
 * Converts a text of GIFT to our Markdown; `inline` for options and sides of pairs. Losses are added to
 * `losses`, in Russian.
 */
export function markdownOf(
  given: GiftText,
  { inline }: { inline: boolean },
  losses: string[],
): string {
  const read = converted(given, { inline }, losses);
  // Options about HTML itself: a text that is only tags.
  const isOnlyTags = inline && read === '' && given.text !== '' && !/<img/i.test(given.text);
  return isOnlyTags ? textToMarkdown(given.text, inline) : read;
}

function converted(
  { format, text }: GiftText,
  { inline }: { inline: boolean },
  losses: string[],
): string {
  // Too long to import. Refused by its length, so that it need not be parsed.
  if (text.length > 5 * ANSWER_TEXT_CHARACTERS) return text;
  if (format !== 'html' && text.length > ANSWER_TEXT_CHARACTERS) return text;
  switch (format) {
    case 'markdown':
      return importedText(fromMoodleMarkdown(text.replaceAll(BREAK, '\n')), losses);
    case 'html':
      return htmlToMarkdown(text, createContextWithoutPictures(losses), { inline });
    case 'moodle':
      // Line breaks are significant there, even among tags.
      return HTML.test(text)
        ? htmlToMarkdown(text.replaceAll('\n', '<br>'), createContextWithoutPictures(losses), {
            inline,
          })
        : textToMarkdown(text, inline);
    case 'plain':
      return textToMarkdown(text, inline);
  }
}
