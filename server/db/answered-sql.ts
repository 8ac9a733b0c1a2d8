/** Every character that JavaScript's `trim` removes, as a PostgreSQL string. */
const BLANKS = String.raw`U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF'`;

/** `answerFiles` of domain/answer-files.ts: a set of rows `file` with `fileId` and `sha256`, of a column with an answer's body. */
export const answerFilesSql = (body: string): string => `(
  select file from jsonb_array_elements(
    jsonb_build_array(${body}) || coalesce(${body} -> 'more', '[]')) as file
  where ${body} ->> 'kind' = 'file' and file ->> 'fileId' is not null)`;

/** Whether the upload `u` has the bytes that `file` of an answer to a question names. Never null. */
export const isWholeSql = (question: string): string => `(
  u.completed_at is not null and u.sha256 = file ->> 'sha256' and u.question_id = ${question}) is true`;

/**
 * `isAnswered` of domain/answered.ts as a condition on a column with an answer's body: boards and queues count
 * the answers of whole classes without loading them. Never null.
 */
export const isAnsweredSql = (body: string): string => `coalesce(case ${body} ->> 'kind'
  when 'open' then btrim(${body} ->> 'text', ${BLANKS}) <> ''
  when 'variant' then jsonb_array_length(${body} -> 'optionIds') > 0
  when 'compliance' then jsonb_array_length(${body} -> 'pairs') > 0
  when 'ordering' then jsonb_array_length(${body} -> 'itemIds') > 0
  when 'gaps' then exists (
    select from jsonb_array_elements(${body} -> 'gaps') as gap
    where gap ? 'optionId' or btrim(gap ->> 'text', ${BLANKS}) <> '')
  when 'file' then ${body} ->> 'fileId' is not null
end, false)`;
