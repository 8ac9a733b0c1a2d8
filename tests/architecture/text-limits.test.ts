import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProject } from '#scripts/lib/project.mjs';

/** Components that show how much of a paste did not fit. */
const LIMITED = /^(?:LimitedTextField|LimitedTextarea|TextAnswerField|GapsField)$/;
const THROUGH_FORM = /\bcomponent=\{Limited(?:TextField|Textarea)\}/;

test('no field leaves it to the browser to cut what is pasted', () => {
  const found: string[] = [];
  const paths = readdirSync(inProject('src'), { recursive: true, encoding: 'utf8' });
  for (const path of paths.filter((one) => one.endsWith('.tsx'))) {
    const text = readFileSync(inProject(`src/${path}`), 'utf8');
    for (const { index } of text.matchAll(/\bmaxLength=\{/g)) {
      // An element among the attributes is closed before the next one.
      const before = text.slice(0, index).replaceAll(/<[A-Z]\w*\s[^<>]*\/>/g, '');
      const opened = [...before.matchAll(/<([A-Z]\w*)[\s>]/g)].at(-1);
      const name = opened?.[1] ?? '';
      const isForm = name === 'FormField' && THROUGH_FORM.test(before.slice(opened?.index));
      if (!LIMITED.test(name) && !isForm) found.push(`${path}: ${name}`);
    }
  }
  expect(found).toEqual([]);
});
