import { everyElement, element, elements, textOf, type XmlElement } from '#interchange/xml.ts';

/** Fields of `qtimetadata` and of Blackboard's own elements, by name in lower case; the first one counts. */
export type Fields = ReadonlyMap<string, string>;

/** Reads the metadata directly under an assessment, a section, an item bank or an item. */
export function readFields(node: XmlElement): Fields {
  const fields = new Map<string, string>();
  const add = (name: string, value: string) => {
    const key = name.trim().toLowerCase();
    if (key !== '' && value.trim() !== '' && !fields.has(key)) fields.set(key, value.trim());
  };
  const places = elements(node).filter(
    ({ name }) =>
      name === 'qtimetadata' || /^(?:item|section|assessment|objectbank)metadata$/.test(name),
  );
  for (const place of places) {
    for (const one of everyElement(place)) {
      if (/^qti_?metadatafield$/.test(one.name))
        add(textOf(element(one, 'fieldlabel')), textOf(element(one, 'fieldentry')));
      else if (/^(?:bbmd|qmd)_/.test(one.name)) add(one.name, textOf(one));
    }
  }
  return fields;
}

/** The first of several fields that is a number. */
export function numberField(fields: Fields, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = Number(fields.get(name) ?? Number.NaN);
    if (Number.isFinite(value)) return value;
  }
  return null;
}

/** The kind of question that the exporter names: Canvas, Common Cartridge, Blackboard or ILIAS. */
export const namedKind = (fields: Fields): string =>
  fields.get('question_type') ??
  fields.get('bbmd_questiontype') ??
  fields.get('cc_profile') ??
  fields.get('questiontype') ??
  fields.get('qmd_questiontype') ??
  '';
