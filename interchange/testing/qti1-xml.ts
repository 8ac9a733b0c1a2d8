import { strToU8 } from 'fflate';
import { fragmentText } from '#interchange/xml-writer.ts';

/** Parts of QTI 1.2 files for tests, written as exporters write them. */
const escaped = (text: string) => fragmentText([text]);

export const html = (text: string): string =>
  `<material><mattext texttype="text/html">${escaped(text)}</mattext></material>`;
export const plain = (text: string): string =>
  `<material><mattext texttype="text/plain">${escaped(text)}</mattext></material>`;

export const equal = (value: string, response = 'r'): string =>
  `<varequal respident="${response}">${escaped(value)}</varequal>`;
export const not = (inner: string): string => `<not>${inner}</not>`;
export const and = (...inner: string[]): string => `<and>${inner.join('')}</and>`;
export const or = (...inner: string[]): string => `<or>${inner.join('')}</or>`;

/** One rule: its condition, the change of the score, and what it shows. */
export function rule(
  condition: string,
  change: readonly [action: string, value: number | string] | null,
  { shows = [], stops }: { shows?: readonly string[]; stops?: boolean } = {},
): string {
  const set = change ? `<setvar action="${change[0]}" varname="SCORE">${change[1]}</setvar>` : '';
  const links = shows.map((one) => `<displayfeedback feedbacktype="Response" linkrefid="${one}"/>`);
  const goes = stops === undefined ? '' : ` continue="${stops ? 'No' : 'Yes'}"`;
  return `<respcondition${goes}><conditionvar>${condition}</conditionvar>${set}${links.join('')}</respcondition>`;
}

export const processing = (rules: readonly string[], maximum = '100'): string =>
  `<resprocessing><outcomes><decvar maxvalue="${maximum}" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>${rules.join('')}</resprocessing>`;

export const feedback = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(
      ([ident, text]) =>
        `<itemfeedback ident="${ident}"><flow_mat>${html(text)}</flow_mat></itemfeedback>`,
    )
    .join('');

const fields = (values: Readonly<Record<string, string>>): string =>
  `<qtimetadata>${Object.entries(values)
    .map(
      ([name, value]) =>
        `<qtimetadatafield><fieldlabel>${name}</fieldlabel><fieldentry>${value}</fieldentry></qtimetadatafield>`,
    )
    .join('')}</qtimetadata>`;

export const choices = (
  options: Readonly<Record<string, string>>,
  { cardinality = 'Single', ident = 'r', own = '' } = {},
): string =>
  `<response_lid ident="${ident}" rcardinality="${cardinality}">${own}<render_choice>${Object.entries(
    options,
  )
    .map(([name, text]) => `<response_label ident="${name}">${plain(text)}</response_label>`)
    .join('')}</render_choice></response_lid>`;

export const typed = (attributes = ''): string =>
  `<response_str ident="r" rcardinality="Single"><render_fib ${attributes}><response_label ident="a"/></render_fib></response_str>`;

export const item = (
  presentation: string,
  rest: string,
  { kind = '', points = '1', title = 'Question' } = {},
): string =>
  `<item ident="i" title="${title}"><itemmetadata>${fields({
    ...(kind === '' ? {} : { question_type: kind }),
    ...(points === '' ? {} : { points_possible: points }),
  })}</itemmetadata><presentation>${presentation}</presentation>${rest}</item>`;

export const quiz = (items: string, title = 'Контрольная'): string =>
  `<?xml version="1.0" encoding="UTF-8"?><questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="a" title="${title}"><section ident="root_section">${items}</section></assessment></questestinterop>`;

export const xmlFile = (text: string, name = 'quiz.xml'): { name: string; bytes: Uint8Array } => ({
  name,
  bytes: strToU8(text),
});
