/** A declaration of a response. */
export const declaration = (base: string, cardinality: string, inner = '', name = 'RESPONSE') =>
  `<responseDeclaration identifier="${name}" cardinality="${cardinality}" baseType="${base}">${inner}</responseDeclaration>`;
/** Its right answers. */
export const correct = (...values: string[]) =>
  `<correctResponse>${values.map((value) => `<value>${value}</value>`).join('')}</correctResponse>`;
/** Its points by answer. */
export const mapping = (entries: Record<string, number>, more = 'defaultValue="0"') =>
  `<mapping ${more}>${Object.entries(entries)
    .map(([key, value]) => `<mapEntry mapKey="${key}" mappedValue="${value}"/>`)
    .join('')}</mapping>`;
/** Marking by a template of the specification. */
export const template = (name: string) =>
  `<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/${name}"/>`;
/** One item of version 2.1. */
export const item = (inner: string, attributes = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Заголовок" adaptive="false" timeDependent="false" ${attributes}>${inner}</assessmentItem>`;
/** Options that show their own names. */
export const choices = (...names: string[]) =>
  names.map((name) => `<simpleChoice identifier="${name}">${name}</simpleChoice>`).join('');
