import type { ImportedItem } from '#interchange/model.ts';
import { readQti1 } from '#interchange/qti1/read.ts';
import { tools } from './looks.ts';
import { quiz, xmlFile } from './qti1-xml.ts';

/** The only item of a file. @throws when it is refused */
export async function readOneItem(xml: string): Promise<ImportedItem> {
  const { items, refused } = await readQti1(xmlFile(quiz(xml)), tools);
  const [only] = items;
  if (!only || refused.length > 0) throw new Error(JSON.stringify(refused));
  return only;
}
