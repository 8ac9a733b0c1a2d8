/** What JavaScript's `trim` takes away: a text of these alone is no answer. */
const SPACES = String.raw`E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`;

/** As `isAnswered` of the domain: cleared answers say nothing. */
export const answeredSql = (body: string) => `coalesce(case ${body} ->> 'kind'
  when 'open' then btrim(${body} ->> 'text', ${SPACES}) <> ''
  when 'variant' then jsonb_array_length(${body} -> 'optionIds') > 0
  when 'compliance' then jsonb_array_length(${body} -> 'pairs') > 0
  when 'file' then ${body} ->> 'fileId' is not null
end, false)`;
